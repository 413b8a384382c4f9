// Exact odds of Company Leader's fights, from the same dice the rules roll, and chances under fog from a viewer's knowledge.
#pragma once

#include "games/company_leader/knowledge.h"
#include "games/company_leader/rules.h"

namespace baton::company_leader {

struct HitOdds {
  HitChances chance{};

  double expected() const;
  double at_least(int hits) const;
};

// R30, R31: a throw of `dice` dice at a target on that terrain; the scenario keeps them ready for hit_odds.
HitChances chances_of_throw(const Scenario& sc, Terrain terrain, bool on_infantry, int dice);
HitOdds hit_odds(const Scenario& sc, Terrain terrain, bool on_infantry, int dice);

// A shot at what stands on `target`; both see it in the open.
struct ShotOdds {
  HitOdds hits, answer;                 // no answer: zero hits for sure
  bool answered = false;                // whether the target may fire back
  double kill = 0, lost = 0, both = 0;  // the target destroyed, the shooter destroyed, both
  double damage = 0, suffered = 0;      // expected strength lost by either
};

// The shooter is one of the revealed troops on the table, or a concealed troop of the viewer that would be revealed for it (`kind`).
ShotOdds shot_odds(const Scenario& sc, const Table& t, int kind, int strength, int from, int target, bool fires_back);
ShotOdds shot_odds(const Scenario& sc, const Table& t, int from, int target);

// The chance that a piece is a troop, as the viewer knows it. Exact as long as the rules alone decide it: a piece that was seen, or one of
// a fixed set-up army of which nothing was lifted from the purchase fields, or one that is a troop, or a dummy, in every story that
// `imagine` could tell. Otherwise it depends on what the owner likes to buy and to put where, which no rule says: the figure then takes
// every set of troops of the price paid that finds room for equally likely, and set-up troops for evenly spread over the set-up pieces,
// lifted or not; those of free armies in a team over the pieces of all members.
struct TroopChance {
  double chance = 0;
  bool exact = true;
};
TroopChance troop_chance(const Scenario& sc, const Knowledge& k, int field);
// Of any unknown piece of that seat and origin.
TroopChance troop_chance_of_origin(const Scenario& sc, const Table& t, int seat, int origin);

// The same, remembered. The chances of a side stay what they are until one of its pieces is seen, lost, bought or lifted, while every view
// asks for them. For one scenario only.
class TroopChances {
 public:
  // The position that is asked about from now on.
  void look_at(const Scenario& sc, const Table& t);
  int pieces(int seat, int origin) const { return grounds_[at(seat)].pieces[at(origin)]; }  // unknown ones
  TroopChance of(const Scenario& sc, const Table& t, int seat, int origin);

 private:
  // What the chances of a seat, and of those who play together with it, are reckoned from.
  struct Grounds {
    bool set_up = false;
    Origins origins{};
    std::array<std::uint8_t, origin_count> pieces{};
    bool operator==(const Grounds&) const = default;
  };
  std::array<Grounds, most_seats> grounds_{};
  std::array<std::array<std::optional<TroopChance>, origin_count>, most_seats> chances_{};
};

// What an action of the viewer would bring; null where neither dice nor hidden pieces decide anything.
//   {"exact": true,
//    "outcomes": [{"is": "kill", "chance": 0.3438}, {"is": "lost", …}, {"is": "both", …}],
//    "combats": [{"sides": {"blue": {"hits": [p0, p1, …]}, "red": {"hits": […]}}}],
//    "hidden": [{"field": "e5", "chance": 0.2432, "exact": true}, …]}
// A shot: hits that each side takes, the shooter's only where the target may fire back. Turning to scout: the hidden pieces it would
// find. Chances are rounded to four places.
Json odds(const Scenario& sc, const Knowledge& known, Action action);

}  // namespace baton::company_leader
