// Exact odds of Company Leader's fights, from the same dice the rules roll, and chances under fog from a viewer's knowledge.
#pragma once

#include "games/company_leader/knowledge.h"
#include "games/company_leader/rules.h"

namespace baton::company_leader {

inline constexpr int most_hits = 16;

struct HitOdds {
  std::array<double, most_hits + 1> chance{};  // of exactly so many hits

  double expected() const;
  double at_least(int hits) const;
};

// R30, R31: a throw of `dice` dice at a target on that terrain.
HitOdds hit_odds(const Scenario& sc, Terrain terrain, bool on_infantry, int dice);

// A shot at what stands on `target`; both see it in the open.
struct ShotOdds {
  HitOdds hits, answer;   // no answer: zero hits for sure
  bool answered = false;  // whether the target may fire back
  double kill = 0, lost = 0, both = 0;  // the target destroyed, the shooter destroyed, both
  double damage = 0, suffered = 0;      // expected strength lost by either
};

// The shooter is one of the revealed troops on the table, or a concealed troop of the viewer that would be revealed for it (`kind`).
ShotOdds shot_odds(const Scenario& sc, const Table& t, int kind, int strength, int from, int target, bool fires_back);
ShotOdds shot_odds(const Scenario& sc, const Table& t, int from, int target);

// The chance that the piece on a field is a troop, as the viewer knows it. What coins have bought is not known: every
// set of troops of that price that finds room counts the same.
double troop_chance(const Scenario& sc, const Knowledge& k, int field);

}  // namespace baton::company_leader
