// What the files of the odds share: shots, and the targets they fall on. Not for use outside them.
//
//   odds.cc          single rolls, suppression, combats, estimates
//   odds_targets.cc  the walk of chance over what can become of a group of units
//   odds_told.cc     what a seat is told about an action
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "games/company_commander/odds.h"
#include "games/company_commander/rules_parts.h"

namespace baton::company_commander {

// The table with nobody holding a card: the rules run on without asking anyone for a reaction.
inline State stage(const Table& table) {
  State s;
  static_cast<Table&>(s) = table;
  return s;
}

// For calls of the rules that draw nothing.
class Undrawn final : public Chance {
  std::uint32_t draw(Draw kind, std::uint32_t bound) override;
};

struct Shot {
  RollOdds roll;
  Weapon weapon;
  bool operator==(const Shot&) const = default;
};

struct Salvo {
  Shot shot;
  int rolls = 0;
};

inline void add_at(std::vector<double>& chances, std::size_t count, double chance) {
  if (chances.size() <= count) chances.resize(count + 1);
  chances[count] += chance;
}
inline SideOdds nothing_counted() { return {{}, {}, {}}; }

// Whether the game ends when this many units that count as kills are gone, and these of the fronts are empty.
using GameEnds = std::vector<std::array<bool, 1 << front_count>>;

// Chance by state of the targets and, where pins are counted, by their number.
struct Spread {
  std::vector<double> mass;
  std::size_t used = 1;  // numbers of pins possible so far
};

// A group of units under fire. A state of it is a multiset: how many units are in which condition. Units in equal
// condition need not be told apart, so that there are few states; each roll moves chance from state to state.
//
// Two kinds of walk: one follows who is pinned, to know what the units still fire; the other counts pins, and is small
// because a pin does not change what the next hit does.
class Targets {
 public:
  // `most_pins` is 0 to follow who is pinned, else the most that can be counted. `game_ends` may be null. The work done is
  // taken from `effort`; when that is negative the walk has been given up and its numbers mean nothing.
  Targets(const Scenario& sc, int seat, int most_pins, const GameEnds* game_ends, long& effort)
      : sc_(sc), seat_(seat), width_(at(most_pins) + 1), game_ends_(game_ends), effort_(effort), slots_(1024, none) {}

  // A unit that only takes hits. `home` is its front where that can matter for the end of the game, else -1.
  void put(int unit, int home, int strength_left);
  // A unit that fires dice[n] in salvo `run` after n more casualties, as long as it is not pinned.
  void put(int unit, int home, int run, const std::vector<int>& dice);

  // When all are put.
  Spread begin();

  // One roll. What can change no more, as nobody is left or the game is over, goes with `weight` into `total`.
  void roll(Spread& spread, const Shot& shot, bool game_may_end, double weight, Spread& total);
  void roll(Spread& spread, const std::vector<Salvo>& salvos, bool game_may_end, Spread& total);

  // Adds to `total` what has come of it all.
  void gather(const Spread& spread, double weight, Spread& total);
  SideOdds count(const Spread& total) const;

  // Adds the chance of each volley that units standing and not pinned now fire; a die of salvo r adds worth[r] to its number.
  void add_volleys(const Spread& spread, const std::vector<std::size_t>& worth, std::vector<double>& chances);

 private:
  // How many units are in each condition: six bits each.
  static constexpr std::size_t most_conditions = 40;
  using Counts = std::array<std::uint64_t, 4>;
  static std::size_t word_of(int condition) { return at(condition / 10); }
  static int shift_of(int condition) { return condition % 10 * 6; }
  static int count_of(const Counts& counts, int condition) {
    return static_cast<int>(counts[word_of(condition)] >> shift_of(condition) & 63);
  }

  static constexpr std::uint32_t none = 0xFFFF'FFFF;
  static constexpr std::size_t most_states = 300'000, most_numbers = 2'000'000;  // for the sake of memory

  // Units that hits treat alike.
  struct Category {
    std::array<std::array<HitOdds, 2>, 2> hits;  // [casualty][sniper]
    bool looked_for = false;                     // by anti-tank weapons
    bool is_kill = true;
    int home = -1;
    int example = 0;  // one of its units
  };
  struct Known {
    int kind, home, category;
  };
  // Units that fire alike: dice[n] with n strength points left.
  struct Family {
    int run;
    std::vector<int> dice;
    int size;
  };
  // Units that hits treat alike and that start alike: which of them suffers what is pure chance, whatever they fire.
  struct Muster {
    int category, strength_left;
    std::vector<Family> families;
  };
  // So it is enough to follow how many of a muster are in which condition, and to deal that out to its families in the end.
  // Musters of one and the same family share a group.
  struct Group {
    int category;
    std::vector<Family> families;
  };
  struct Condition {
    int category, group;  // group -1: does not fire
    int strength_left;
    int when_pinned = -1, when_hit = -1;  // -1: removed
  };
  struct Facts {
    Counts counts{};
    int casualties = 0, removals = 0;
    bool empty = false, game_ends = false;
  };
  struct Sum {
    int units = 0, kills = 0, strength = 0;  // strength of those that take casualty markers
    std::array<int, front_count> at_home{};
  };
  // What a hit on one of `units` leads to.
  struct Link {
    int category, units;
    std::uint32_t when_pinned, when_hit;
  };
  struct Move {
    std::uint32_t to, pins;
    double chance;
  };
  struct Moves {
    Shot shot;
    std::vector<std::uint32_t> first, count;  // by state; none: not worked out yet
    std::vector<Move> all;
  };
  // A step of add_volleys: units not yet dealt out, and the dice of the others.
  struct Part {
    Counts counts;
    std::size_t volley;
    double chance;
  };
  class Dealing;
  using Standing = std::array<int, 10>;  // units of a group that still fire, by strength left

  bool counts_pins() const { return width_ > 1; }
  bool is_empty(const Spread& spread, std::size_t state) const;
  const Category& category(int condition) const { return categories_[at(conditions_[at(condition)].category)]; }

  int category_of(int unit, int home);
  int condition_of(int category, int group, int strength_left);
  void stand(int condition, int units);
  void form_groups();
  static bool fire_alike(const Group& group, const Muster& muster);

  Sum sum_of(const Counts& counts) const;
  Facts facts_of(const Counts& counts) const;
  std::uint32_t state_of(const Counts& counts);
  const std::vector<Link>& links_of(std::size_t state);
  Moves& moves_of(const Shot& shot);
  void work_out(Moves& moves, std::size_t state);
  static void merge(std::vector<Part>& parts);

  const Scenario& sc_;
  int seat_;
  std::size_t width_;
  const GameEnds* game_ends_;
  long& effort_;

  std::vector<Known> known_;
  std::vector<Category> categories_;
  std::vector<Muster> musters_;
  std::vector<Group> groups_;
  std::vector<Condition> conditions_;
  Counts start_{};
  Sum first_;
  std::vector<Facts> states_;
  std::vector<std::uint32_t> slots_;  // states by hash
  std::vector<std::vector<Link>> links_;
  std::vector<Moves> moves_;
};

}  // namespace baton::company_commander
