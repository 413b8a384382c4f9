// The public history of a game, written down by a watcher who forgets nothing; every army that `imagine` draws must have a story in it.
#include <gmock/gmock.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <vector>

#include "games/company_leader/board_make.h"
#include "games/company_leader/game.h"
#include "games/company_leader/rules_parts.h"

namespace baton::company_leader {
namespace {

constexpr int none = -1;

// The pieces that came together: at the set-up, or at one refresh of purchase fields.
struct Group {
  Army certain{}, shown{};
  int coins = 0;
  std::map<int, int> lifted;  // how many unknown pieces of earlier groups went into it
};

class Watcher {
 public:
  explicit Watcher(const Scenario& sc) : sc_(sc), seats_(at(sc.seat_count())) {
    group_.fill(none);
    known_.fill(none);
  }

  bool keeps_apart(int side) const { return (merged_ & sc_.sides[at(side)].members) == 0; }
  int groups_of(int seat) const { return static_cast<int>(seats_[at(seat)].size()); }

  void watch(const State& before, const std::vector<Event>& told, const State& after) {
    int spent = 0;
    FieldSet replaced;
    for (const Event& event : told) {
      const auto& with = event.with;
      switch (static_cast<Told>(event.kind)) {
        case Told::battle_begins: begin(before, after); break;
        case Told::swapped: exchange(with[1], with[2]); break;
        case Told::step_swapped:
        case Told::stepped:
        case Told::followed_up: exchange(with[0], with[1]); break;
        case Told::revealed:
        case Told::spotted:
        case Told::exposed:
          if (group_[at(with[1])] != none) ++seats_[at(with[0])][at(group_[at(with[1])])].shown[at(with[2])];
          group_[at(with[1])] = none;
          known_[at(with[1])] = with[2];
          break;
        case Told::dummy_removed:
          if (with[0] != before.active) replaced.insert(with[1]);
          group_[at(with[1])] = known_[at(with[1])] = none;
          break;
        case Told::destroyed: group_[at(with[1])] = known_[at(with[1])] = none; break;
        case Told::dummy_placed: known_[at(with[1])] = 0; break;
        case Told::bought: spent = with[1]; break;
        case Told::entered:
          spent -= sc_.figures(with[2]).cost;
          group_[at(with[1])] = none;
          known_[at(with[1])] = with[2];
          break;
        case Told::refreshed: refresh(before, after, with[0], spent, replaced); break;
        case Told::eliminated:
          for (int f = 0; f < sc_.board.fields; ++f) {
            if (before.pieces[at(with[0])].has(f)) group_[at(f)] = known_[at(f)] = none;
          }
          break;
        default: break;
      }
    }
  }

  // Whether what stands on the board, as somebody imagines it, can have come there.
  bool has_story(const State& imagined, int side) const {
    std::set<int> costs = {0};
    for (const int seat : sc_.sides[at(side)].seats) {
      if (has_seat(imagined.out, seat) || has_seat(merged_, seat)) return true;
      std::vector<Army> wanted(seats_[at(seat)].size());
      for (std::size_t g = 0; g < wanted.size(); ++g) wanted[g] = seats_[at(seat)][g].shown;
      for (const int f : hidden_of(imagined, seat)) {
        if (group_[at(f)] != none) {
          ++wanted[at(group_[at(f)])][imagined.kind[at(f)]];
        } else if (known_[at(f)] != imagined.kind[at(f)]) {
          return false;
        }
      }
      std::set<int> own, sums;
      std::vector<Group> groups = seats_[at(seat)];
      explain(seat, groups, wanted, static_cast<int>(wanted.size()) - 1, own);
      for (const int a : costs) {
        for (const int b : own) sums.insert(a + b);
      }
      costs = sums;
    }
    return costs.contains(sc_.options.free_armies ? paid_[at(side)] : 0);
  }

 private:
  void begin(const State& before, const State& after) {
    for (int seat = 0; seat < sc_.seat_count(); ++seat) {
      seats_[at(seat)].assign(1, {});
      if (!sc_.options.free_armies) seats_[at(seat)][0].certain = sc_.seats[at(seat)].army;
      for (const int f : after.pieces[at(seat)]) group_[at(f)] = 0;
      paid_[sc_.side_of[at(seat)]] += sc_.seats[at(seat)].budget - before.purse[at(seat)];
    }
  }

  void exchange(int a, int b) {
    std::swap(group_[at(a)], group_[at(b)]);
    std::swap(known_[at(a)], known_[at(b)]);
  }

  void refresh(const State& before, const State& after, int seat, int coins, FieldSet replaced) {
    std::vector<Group>& groups = seats_[at(seat)];
    if (before.origins[at(seat)].back().in_use) merged_ |= seat_bit(seat);
    Group made;
    made.coins = coins;
    const FieldSet fields = purchase_fields(sc_, before).refreshed;
    for (const int f : fields& before.pieces[at(seat)]) {
      if (group_[at(f)] != none) {
        ++made.lifted[group_[at(f)]];
      } else if (known_[at(f)] > 0) {
        ++made.certain[at(known_[at(f)])];
      }
    }
    for (const int f : (fields | replaced) & hidden_of(after, seat)) {
      group_[at(f)] = static_cast<int>(groups.size());
      known_[at(f)] = none;
    }
    groups.push_back(made);
  }

  // All that the set-up of a free army may have cost; {0} for a fixed army that fits.
  void explain(int seat, std::vector<Group>& groups, std::vector<Army>& wanted, int g, std::set<int>& costs) const {
    const Group group = groups[at(g)];
    Army rest = wanted[at(g)];
    for (int k = first_troop; k < kind_count; ++k) {
      if (rest[at(k)] < group.certain[at(k)]) return;
      rest[at(k)] = static_cast<std::uint8_t>(rest[at(k)] - group.certain[at(k)]);
    }
    if (g == 0) {
      const int cost = cost_of(rest);
      if (!sc_.options.free_armies) {
        if (cost == 0) costs.insert(0);
      } else if (cost > 0 && cost <= sc_.seats[at(seat)].budget && troop_count(rest) <= sc_.seats[at(seat)].territory.size() / 2) {
        costs.insert(cost);
      }
      return;
    }
    buy(seat, groups, wanted, g, rest, first_troop, group.coins, costs);
  }
  // Which of them were bought …
  void buy(int seat, std::vector<Group>& groups, std::vector<Army>& wanted, int g, Army rest, int kind, int coins,
           std::set<int>& costs) const {
    if (kind == kind_count) {
      if (coins == 0) lift(seat, groups, wanted, g, rest, costs);
      return;
    }
    for (int n = 0; n <= rest[at(kind)] && n * sc_.figures(kind).cost <= coins; ++n) {
      Army left = rest;
      left[at(kind)] = static_cast<std::uint8_t>(left[at(kind)] - n);
      buy(seat, groups, wanted, g, left, kind + 1, coins - n * sc_.figures(kind).cost, costs);
    }
  }
  // … and which lifted from where.
  void lift(int seat, std::vector<Group>& groups, std::vector<Army>& wanted, int g, Army rest, std::set<int>& costs) const {
    int kind = first_troop;
    while (kind < kind_count && rest[at(kind)] == 0) ++kind;
    if (kind == kind_count) {
      explain(seat, groups, wanted, g - 1, costs);
      return;
    }
    --rest[at(kind)];
    for (auto& [from, pieces] : groups[at(g)].lifted) {
      if (pieces == 0) continue;
      --pieces;
      ++wanted[at(from)][at(kind)];
      lift(seat, groups, wanted, g, rest, costs);
      --wanted[at(from)][at(kind)];
      ++pieces;
    }
  }
  int cost_of(const Army& army) const {
    int cost = 0;
    for (int k = first_troop; k < kind_count; ++k) cost += army[at(k)] * sc_.figures(k).cost;
    return cost;
  }

  const Scenario& sc_;
  std::vector<std::vector<Group>> seats_;
  std::array<int, most_seats> paid_{};
  std::uint8_t merged_ = 0;  // seats with more open purchases than the table keeps apart
  std::array<int, max_fields> group_{}, known_{};
};

// Somebody who does little, but buys: what random players would take hours for.
Action busy_action(const State& s, const ActionList& list, FastChance& chance) {
  const auto with_verb = [&](Verb verb) {
    std::vector<Action> found;
    for (const Action a : list) {
      if (a.verb == static_cast<std::uint16_t>(verb)) found.push_back(a);
    }
    return found;
  };
  const auto one_of = [&](const std::vector<Action>& some) { return some[chance.pick(static_cast<std::uint32_t>(some.size()))]; };
  if (s.step == Step::set_up) {
    if (const auto placed = with_verb(Verb::place_for_me); !placed.empty()) return placed[0];
    return with_verb(Verb::ready)[0];
  }
  if (s.step == Step::actions && chance.pick(6) == 0) return with_verb(Verb::done)[0];
  if (s.step == Step::purchase && chance.pick(3) != 0) {
    if (const auto buys = with_verb(Verb::buy); !buys.empty()) return one_of(buys);
  }
  return any_action<Game>(list, chance);
}

Scenario loaded(const ScenarioFile& file, const OptionValues& options) {
  auto sc = load(file, options);
  EXPECT_TRUE(sc) << sc.error().text();
  return *sc;
}
Scenario scenario(const std::string& id, const OptionValues& options) {
  std::ifstream in(std::string(BATON_SOURCE_DIR) + "/games/company_leader/scenarios/" + id + ".toml");
  std::stringstream text;
  text << in.rdbuf();
  return loaded({id + ".toml", text.str()}, options);
}

struct Watched {
  int stories = 0, after_later_refreshes = 0, without = 0, merged = 0;
};

Json view_of(const Scenario& sc, const Knowledge& known) {
  JsonText out;
  view(sc, known, out);
  return out.read();
}

void watch_games(const Scenario& sc, std::uint64_t first_seed, int games, Watched& seen) {
  for (std::uint64_t seed = first_seed; seed < first_seed + static_cast<std::uint64_t>(games); ++seed) {
    FastChance chance(seed), thoughts(seed, 3);
    std::vector<Event> told;
    Events log(&told);
    State s = start(sc, chance, log);
    Watcher watcher(sc);
    ActionList list;
    for (int decision = 0; decision < 3'000 && !choosing(sc, s).empty(); ++decision) {
      const Seat seat = choosing(sc, s).front();
      list.clear();
      actions(sc, s, seat, list);
      const State before = s;
      const int buyer = before.active;
      told.clear();
      apply(sc, s, seat, busy_action(s, list, chance), chance, log);
      watcher.watch(before, told, s);
      if (s.step == Step::set_up || s.step == Step::over) continue;
      const bool refreshed = std::any_of(told.begin(), told.end(),
                                         [](const Event& event) { return event.kind == static_cast<std::uint16_t>(Told::refreshed); });
      if (!refreshed && decision % 25 != 0) continue;
      for (int side = 0; side < sc.side_count(); ++side)
        ASSERT_TRUE(watcher.has_story(s, side)) << "the truth itself, seed " << seed << ", decision " << decision;
      for (int viewer = 0; viewer < sc.seat_count(); ++viewer) {
        const Knowledge known = observe(sc, s, Seat(viewer));
        const std::string view_bytes = view_of(sc, known).dump();
        for (int draw = 0; draw < 3; ++draw) {
          const State imagined = imagine(sc, known, thoughts);
          ASSERT_EQ(observe(sc, imagined, Seat(viewer)), known);
          ASSERT_EQ(view_of(sc, observe(sc, imagined, Seat(viewer))).dump(), view_bytes);
          for (int side = 0; side < sc.side_count(); ++side) {
            ++seen.stories;
            seen.merged += !watcher.keeps_apart(side);
            seen.after_later_refreshes += refreshed && sc.hostile(viewer, buyer) && watcher.groups_of(buyer) > 2;
            if (watcher.has_story(imagined, side)) continue;
            if (seen.without++ == 0)
              ADD_FAILURE() << "seed " << seed << ", decision " << decision << ", seat " << viewer << " imagines of side " << side << "\n"
                            << view_of(sc, known)["remembered"].dump();
          }
        }
      }
    }
  }
}

TEST(CompanyLeaderHistory, WhatIsImaginedHasAStory) {
  Watched seen;
  const auto small = make_board(37, 2, 3);
  ASSERT_TRUE(small) << small.error().text();
  watch_games(loaded({"small.toml", *small}, {{"income", "4"}}), 1, 12, seen);
  watch_games(loaded({"small.toml", *small}, {{"income", "4"}, {"army", "free"}}), 101, 12, seen);
  for (const std::string id : {"standard", "three", "teams", "two-against-one"}) {
    watch_games(scenario(id, {{"income", "4"}}), 201, 2, seen);
    watch_games(scenario(id, {{"income", "4"}, {"army", "free"}}), 301, 2, seen);
  }
  EXPECT_EQ(seen.without, 0) << "of " << seen.stories;
  EXPECT_GT(seen.after_later_refreshes, 1'000);
  EXPECT_LT(seen.merged, seen.stories / 10) << "of " << seen.stories;
}

}  // namespace
}  // namespace baton::company_leader
