// Positions for the tests of the odds, and two other ways to the same numbers: every way the dice can fall, and very many fights played.
#pragma once

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "games/company_commander/game.h"
#include "games/company_commander/odds.h"
#include "games/company_commander/rules_parts.h"

namespace baton::company_commander {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr int fights_to_play = 200'000;
#else
inline constexpr int fights_to_play = 1'000'000;
#endif

inline constexpr int left = 0, center = 1, right = 2;
inline constexpr int us = 0, german = 1;

inline Scenario normandy(const OptionValues& chosen = {}) {
  std::ifstream file(BATON_SOURCE_DIR "/games/company_commander/scenarios/normandy.toml");
  std::stringstream text;
  text << file.rdbuf();
  auto scenario = load({"normandy.toml", text.str()}, *complete_options(options(), chosen));
  if (!scenario) throw std::runtime_error(scenario.error().text());
  return *scenario;
}

inline int unit_named(const Scenario& sc, std::string_view name) { return read(sc, kind::unit, name).value(); }

inline Action act(Verb verb, int a = 0, int b = 0, int c = 0) {
  return {static_cast<std::uint16_t>(verb), static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b), static_cast<std::uint16_t>(c)};
}

// A position in the making: "rifle-1" on a front, with markers.
struct Board {
  explicit Board(const Scenario& scenario, int active = us) : sc(scenario) {
    s.active = s.chooser = s.starter = static_cast<std::uint8_t>(active);
  }

  Force& force_of(std::string_view name) { return s.force[at(unit_named(sc, name) / max_units)]; }

  Board& put(std::string_view name, int front, int casualties = 0, int pins = 0) {
    const int unit = unit_named(sc, name) % max_units;
    Force& force = force_of(name);
    force.at[at(front)] |= bit(unit);
    force.casualties[at(unit)] = static_cast<std::uint8_t>(casualties);
    force.pins[at(unit)] = static_cast<std::uint8_t>(pins);
    if (pins > 0) force.pinned |= bit(unit);
    return *this;
  }
  Board& attacker(std::string_view name, int front, int target, int casualties = 0, int pins = 0) {
    put(name, front, casualties, pins);
    s.combat.against[at(target)] |= bit(unit_named(sc, name) % max_units);
    return *this;
  }
  // Cards are being played for the combat on `front`.
  Board& combat(int front) {
    s.step = Step::combat_cards;
    s.combat.front = static_cast<std::uint8_t>(front);
    return *this;
  }
  Board& change(const std::function<void(State&)>& how) {
    how(s);
    return *this;
  }

  const Scenario& sc;
  State s;
};

// --- Two other ways to the same numbers ------------------------------------------------------------------------------

// Leads the rules down every branch, one after the other, each with its chance.
class EveryBranch final : public Chance {
 public:
  void walk(const std::function<void()>& branch) {
    for (bool more = true; more; more = advance()) {
      depth_ = 0;
      chance_ = 1;
      ++walked_;
      branch();
    }
  }
  double chance() const { return chance_; }
  long walked() const { return walked_; }

 private:
  std::uint32_t draw(Draw, std::uint32_t bound) override {
    if (depth_ == values_.size()) {
      values_.push_back(0);
      bounds_.push_back(bound);
    }
    EXPECT_EQ(bounds_[depth_], bound) << "the rules asked for something else on the same branch";
    chance_ /= bound;
    return values_[depth_++];
  }
  bool advance() {
    for (std::size_t i = values_.size(); i-- > 0;) {
      if (++values_[i] < bounds_[i]) {
        values_.resize(i + 1);
        bounds_.resize(i + 1);
        return true;
      }
    }
    return false;
  }

  std::vector<std::uint32_t> values_, bounds_;
  std::size_t depth_ = 0;
  double chance_ = 1;
  long walked_ = 0;
};

using Counts = std::array<std::array<int, 3>, seat_count>;  // pins, casualties, removals by seat

// What was told up to the next phase.
inline Counts counted(const std::vector<Event>& told) {
  Counts counts{};
  for (const Event& event : told) {
    const auto kind = static_cast<Told>(event.kind);
    if (kind == Told::phase_begins || kind == Told::turn_begins) break;
    const int what = kind == Told::pinned ? 0 : kind == Told::casualty ? 1 : kind == Told::destroyed ? 2 : -1;
    if (what >= 0) ++counts[at(event.with[0] / max_units)][at(what)];
  }
  return counts;
}

using SidesOdds = std::array<SideOdds, seat_count>;

inline void count(SidesOdds& sides, const Counts& counts, double chance) {
  for (std::size_t seat = 0; seat < seat_count; ++seat) {
    int what = 0;
    for (auto* numbers : {&sides[seat].pins, &sides[seat].casualties, &sides[seat].removals}) {
      const std::size_t n = at(counts[seat][at(what++)]);
      if (numbers->size() <= n) numbers->resize(n + 1);
      (*numbers)[n] += chance;
    }
  }
}

// The action, and whatever fire it calls for.
inline Counts played(const Scenario& sc, State s, Action action, Chance& chance, std::vector<Event>& told) {
  told.clear();
  Events log(&told);
  apply(sc, s, Seat{s.chooser}, action, chance, log);
  while (s.step == Step::defenders_fire || s.step == Step::attackers_fire) apply(sc, s, Seat{s.chooser}, act(Verb::fire_all), chance, log);
  return counted(told);
}

constexpr SideOdds none_yet() { return {{}, {}, {}}; }

inline SidesOdds by_brute_force(const Scenario& sc, const State& s, Action action) {
  SidesOdds sides{none_yet(), none_yet()};
  EveryBranch branches;
  std::vector<Event> told;
  branches.walk([&] {
    const Counts counts = played(sc, s, action, branches, told);
    count(sides, counts, branches.chance());
  });
  EXPECT_LT(branches.walked(), 400'000) << "too large for the time a test may take";
  return sides;
}

inline SidesOdds by_playing(const Scenario& sc, const State& s, Action action, int fights, std::uint64_t seed = 7) {
  SidesOdds sides{none_yet(), none_yet()};
  FastChance chance(seed);
  std::vector<Event> told;
  for (int i = 0; i < fights; ++i) count(sides, played(sc, s, action, chance, told), 1.0 / fights);
  return sides;
}

inline double at_or_0(const std::vector<double>& numbers, std::size_t i) { return i < numbers.size() ? numbers[i] : 0.0; }

inline void expect_sums(const SideOdds& side) {
  for (const auto* numbers : {&side.pins, &side.casualties, &side.removals}) {
    EXPECT_NEAR(std::accumulate(numbers->begin(), numbers->end(), 0.0), 1.0, 1e-9);
    EXPECT_TRUE(std::all_of(numbers->begin(), numbers->end(), [](double p) { return p >= 0; }));
  }
}

// `fights` 0: the other numbers are exact too; else 5 standard deviations of a played sample.
inline void expect_same(const SideOdds& odds, const SideOdds& others, int fights, std::string_view whose) {
  expect_sums(odds);
  const auto compare = [&](const std::vector<double>& one, const std::vector<double>& two, std::string_view what) {
    for (std::size_t i = 0; i < std::max(one.size(), two.size()); ++i) {
      const double p = at_or_0(one, i), q = at_or_0(two, i);
      const double tolerance = fights == 0 ? 1e-9 : 5 * std::sqrt(p * (1 - p) / fights) + 3.0 / fights;
      EXPECT_NEAR(p, q, tolerance) << whose << ": " << i << " " << what;
    }
  };
  compare(odds.pins, others.pins, "pins");
  compare(odds.casualties, others.casualties, "casualties");
  compare(odds.removals, others.removals, "removals");
}

inline void expect_same(const State& s, const CombatOdds& odds, const SidesOdds& others, int fights) {
  EXPECT_TRUE(odds.exact);
  expect_same(odds.attackers, others[s.active], fights, "attackers");
  expect_same(odds.defenders, others[at(other(s.active))], fights, "defenders");
}

// The combat a board is at, against every way its dice can fall.
inline void expect_exact(const Board& board) {
  const CombatOdds odds = assault_odds(board.sc, board.s, board.s.combat.front);
  expect_same(board.s, odds, by_brute_force(board.sc, board.s, act(Verb::pass)), 0);
}

inline Board suppression(const Scenario& sc, int active = us) {
  Board board(sc, active);
  board.s.step = Step::suppression;
  return board;
}

inline int card_named(const Scenario& sc, std::string_view name) { return read(sc, kind::card, name).value(); }

}  // namespace baton::company_commander
