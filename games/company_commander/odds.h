// Exact odds of the fights of Company Commander, for players who weigh an action and for bots.
//
// They are worked out from what lies on the table, with the functions the rules themselves use. Counted are, for each
// side, the pin and casualty markers it gets and the units it loses from now to the end of the fight. An HQ that dies
// by the roll of the commander option is a loss without a casualty marker (R78d).
//
// Taken for granted:
//   - nobody plays another card;
//   - units fire in the order of the company list, as the action `fire` without a unit does (R41);
//   - of several combats each is told as if it came next. A fight that ends the game stops there, as in the rules.
//
// A fight too large to be worked out is estimated from `estimate_fights` played ones instead, and says so: `exact` is false.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "games/company_commander/knowledge.h"
#include "games/company_commander/rules.h"

namespace baton::company_commander {

// --- Single rolls ----------------------------------------------------------------------------------------------------

struct RollOdds {
  double nothing = 0, pin = 0, casualty = 0;
  bool operator==(const RollOdds&) const = default;
};
RollOdds fire_roll_odds(const Scenario& sc, int modifier);
RollOdds suppression_roll_odds(const Scenario& sc, int modifier, int dice = 2);

// What a hit does to a unit once armour (R47), sniper (R50) and commander option (R78d) have had their say.
struct HitOdds {
  double nothing = 0, pin = 0, casualty = 0;
  double loss = 0;  // removed without a casualty marker
  bool operator==(const HitOdds&) const = default;
};
HitOdds hit_odds(const Scenario& sc, int seat, int unit, bool casualty, bool sniper);

struct ReconOdds {
  double spotted = 0, nothing = 0, success = 0;
};
ReconOdds recon_odds(const Scenario& sc, int seat, int unit);

// Of a success, with the whole modifier of the roll.
double rally_odds(const Scenario& sc, int modifier);

// --- Fights ----------------------------------------------------------------------------------------------------------

// The chance of each number: pins[2] is that of exactly two pin markers. Impossible numbers at the end are left out.
struct SideOdds {
  std::vector<double> pins{1.0}, casualties{1.0}, removals{1.0};
};

struct CombatOdds {
  bool exact = true;
  SideOdds attackers, defenders;
};

struct FireOdds {
  bool exact = true;
  SideOdds targets;
};

inline constexpr int estimate_fights = 200'000;

// How much work an exact answer may cost, in steps of one to three nanoseconds. 0 always estimates.
inline constexpr long exact_effort = 200'000'000;

// The combat on `front` between the units declared in `table.combat` and the front's defenders, with the cards played
// so far; `joining` assaults along. While the combat is being fired out: the rest of it, and `first` fires first.
CombatOdds assault_odds(const Scenario& sc, const Table& table, int front, int joining = no_unit, int first = no_unit,
                        long effort = exact_effort);

// A suppression attack of the active seat: all its rolls to come, after the one that is on the table (`result`).
FireOdds suppression_odds(const Scenario& sc, const Table& table, const Barrage& barrage, long effort = exact_effort);

// The roll against a recon unit of the active seat that has been spotted (R29); `result` if it is on the table, else 0.
SideOdds spotted_odds(const Scenario& sc, const Table& table, int unit, int result = 0);

// --- For the browser and the terminal --------------------------------------------------------------------------------

// What an action of the viewer would bring; null where dice decide nothing, or the action is not his to take.
//   {"exact": true,
//    "combats": [{"front": "left", "sides": {"us": {"pins": [p0, p1, …], "casualties": […], "removals": […]}, "german": {…}}}],
//    "outcomes": [{"is": "success", "chance": 0.3333}, …]}
// Fire at one side only (suppression, a spotted recon unit) names only that side. Chances are rounded to four places.
Json odds(const Scenario& sc, const Knowledge& known, Action action);

}  // namespace baton::company_commander
