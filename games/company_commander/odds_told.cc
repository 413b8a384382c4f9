// What a seat is told about an action it considers.
#include <cmath>
#include <nlohmann/json.hpp>

#include "games/company_commander/odds_parts.h"

namespace baton::company_commander {
namespace {

double rounded(double chance) { return std::round(chance * 10'000) / 10'000; }

Json chances_json(const std::vector<double>& chances) {
  Json list = Json::array();
  for (const double chance : chances) list.push_back(rounded(chance));
  while (list.size() > 1 && list.back() == 0.0) list.erase(list.size() - 1);
  return list;
}

Json side_json(const SideOdds& odds) {
  return {{"pins", chances_json(odds.pins)}, {"casualties", chances_json(odds.casualties)}, {"removals", chances_json(odds.removals)}};
}

// What is to be told, bit by bit.
class Answer {
 public:
  explicit Answer(const Scenario& sc) : sc_(sc) {}

  void combat(const Table& table, int front, int joining = no_unit, int first = no_unit) {
    const CombatOdds odds = assault_odds(sc_, table, front, joining, first);
    exact_ = exact_ && odds.exact;
    Json sides = Json::object();
    for (int seat = 0; seat < seat_count; ++seat)
      sides[sc_.companies[at(seat)].id] = side_json(seat == table.active ? odds.attackers : odds.defenders);
    add(front, std::move(sides));
  }

  // The combat being fought, or all that are declared.
  void combats(const Table& table) {
    for (int front = 0; front < front_count; ++front) {
      if (table.combat.against[at(front)] != 0 && (table.combat.front == no_front || table.combat.front == front)) combat(table, front);
    }
  }

  void barrage(const Table& table, const Barrage& barrage) {
    if (barrage.result == 0 && barrage.rolls_left == 0) return;
    const FireOdds odds = suppression_odds(sc_, table, barrage);
    exact_ = exact_ && odds.exact;
    one_side(other(table.active), barrage.front, odds.targets);
  }

  void one_side(int seat, int front, const SideOdds& odds) { add(front, {{sc_.companies[at(seat)].id, side_json(odds)}}); }

  void outcome(std::string_view is, double chance) { outcomes_.push_back({{"is", is}, {"chance", rounded(chance)}}); }

  void rally(int modifier) {
    outcome("success", rally_odds(sc_, modifier));
    outcome("failure", 1 - rally_odds(sc_, modifier));
  }

  Json json() const {
    if (combats_.empty() && outcomes_.empty()) return nullptr;
    return {{"exact", exact_}, {"combats", combats_}, {"outcomes", outcomes_}};
  }

 private:
  void add(int front, Json sides) { combats_.push_back({{"front", spell(sc_, kind::front, front)}, {"sides", std::move(sides)}}); }

  const Scenario& sc_;
  bool exact_ = true;
  Json combats_ = Json::array(), outcomes_ = Json::array();
};

// The spotted roll comes only where the mission fails: the chances of the whole mission.
SideOdds with_chance(SideOdds odds, double chance) {
  for (auto* numbers : {&odds.pins, &odds.casualties, &odds.removals}) {
    for (double& p : *numbers) p *= chance;
    numbers->front() += 1 - chance;
  }
  return odds;
}

// A card changes fights that are declared, starts a suppression attack, or settles the roll on the table.
void tell_card(const Scenario& sc, const State& s, Action action, Answer& answer) {
  const CardKind& card = sc.cards[action.a];
  switch (s.step) {
    case Step::suppression:
      if (card.effect == Effect::suppress) answer.barrage(s, support_barrage(sc, action.a, action.b));
      if (card.effect == Effect::grant_suppression) answer.barrage(s, unit_barrage(sc, s, action.b % max_units, action.c, action.a));
      return;
    case Step::fog_reaction:
      if (card.effect != Effect::forbid_attacks_on_front || action.b != s.barrage.front) answer.barrage(s, s.barrage);
      return;
    case Step::roll_reaction: {
      Barrage rest = s.barrage;
      rest.result = 0;
      answer.barrage(s, rest);
      return;
    }
    case Step::extra_rally:
      if (card.effect == Effect::extra_rally_roll) answer.rally(s.modifier);
      return;
    case Step::declare:
    case Step::block:
    case Step::combat_cards: {
      State played = s;
      Undrawn chance;
      Events log = Events::unheard();
      apply(sc, played, Seat{s.chooser}, action, chance, log);  // the other seat is asked next, before any die
      answer.combats(played);
      return;
    }
    default: return;
  }
}

}  // namespace

Json odds(const Scenario& sc, const Knowledge& known, Action action) {
  if (known.viewer >= seat_count) return nullptr;
  State s = stage(known);
  s.hand[known.viewer] = known.hand;
  s.hand[at(other(known.viewer))] = 1;  // some card: windows wait for that seat. Which one nobody asks.
  if (why_not(sc, s, Seat{known.viewer}, action) != Refusal::none) return nullptr;

  Answer answer(sc);
  const int unit = action.a % max_units;
  switch (static_cast<Verb>(action.verb)) {
    case Verb::assault: answer.combat(s, action.b, unit); break;
    case Verb::resolve: answer.combat(s, action.a); break;
    case Verb::fire: answer.combat(s, s.combat.front, no_unit, unit); break;
    case Verb::fire_all: answer.combat(s, s.combat.front); break;
    case Verb::done:
      if (s.step == Step::declare) answer.combats(s);
      break;
    case Verb::pass:
      if (s.step == Step::block || s.step == Step::combat_cards) answer.combats(s);
      if (s.step == Step::fog_reaction || s.step == Step::roll_reaction) answer.barrage(s, s.barrage);
      if (s.step == Step::spotted_reaction) {
        answer.one_side(s.active, front_of(mine(s), s.unit), spotted_odds(sc, s, s.unit, s.barrage.result));
      }
      break;
    case Verb::suppress: answer.barrage(s, unit_barrage(sc, s, unit, action.b, no_card)); break;
    case Verb::recon: {
      const ReconOdds recon = recon_odds(sc, s.active, unit);
      answer.one_side(s.active, front_of(mine(s), unit), with_chance(spotted_odds(sc, s, unit), recon.spotted));
      answer.outcome("spotted", recon.spotted);
      answer.outcome("nothing", recon.nothing);
      answer.outcome("success", recon.success);
      break;
    }
    case Verb::rally:
    case Verb::rally_helped: answer.rally(rally_modifier(sc, s.active, unit, static_cast<Verb>(action.verb) == Verb::rally_helped)); break;
    case Verb::play:
    case Verb::play_front:
    case Verb::play_unit:
    case Verb::play_unit_front: tell_card(sc, s, action, answer); break;
    default: break;
  }
  return answer.json();
}

}  // namespace baton::company_commander
