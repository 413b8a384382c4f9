// What a client needs to draw the units and cards of a scenario.
#include <nlohmann/json.hpp>

#include "games/company_commander/notation.h"

namespace baton::company_commander {
namespace {

constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

Json unit_json(const Company& company, int unit) {
  const UnitKind& kind = company.kinds[company.kind[at(unit)]];
  Json keywords = Json::array();
  for (int k = 0; k < keyword_count; ++k) {
    if (has(kind.keywords, k)) keywords.push_back(word_of(static_cast<Keyword>(k)));
  }
  return {{"kind", kind.id},
          {"seat", company.id},
          {"strength", kind.strength},
          {"keywords", std::move(keywords)},
          {"recon", kind.recon_modifier},
          {"suppress", kind.suppress_modifier},
          {"armor", kind.armor_modifier},
          {"rally", kind.rally_modifier}};
}

Json card_json(const Scenario& sc, const CardKind& card) {
  Json windows = Json::array();
  for (int w = 0; w < window_count; ++w) {
    if (has(card.windows, w)) windows.push_back(word_of(static_cast<Window>(w)));
  }
  return {{"copies", card.copies},
          {"support", card.support},
          {"nation", card.nation < 0 ? Json(nullptr) : Json(sc.companies[at(card.nation)].id)},
          {"by", word_of(card.by)},
          {"windows", std::move(windows)},
          {"target", word_of(card.target)},
          {"effect", word_of(card.effect)},
          {"amount", card.amount}};
}

}  // namespace

Json sheet(const Scenario& sc) {
  Json json = Json::object();
  for (const Company& company : sc.companies) json["seats"].push_back({{"id", company.id}, {"team", company.id}});
  const Figures& f = sc.figures;
  json["figures"] = {{"hand_limit", f.hand_limit},
                     {"kills_to_win", f.kills_to_win},
                     {"automatic_win_from_round", f.automatic_win_from_round},
                     {"recon_nothing", f.recon_nothing},
                     {"recon_success", f.recon_success},
                     {"suppression_pin", f.suppression_pin},
                     {"suppression_casualty", f.suppression_casualty},
                     {"fire_pin", f.fire_pin},
                     {"fire_casualty", f.fire_casualty},
                     {"rally", f.rally},
                     {"armor", f.armor},
                     {"hq_rally_bonus", f.hq_rally_bonus},
                     {"flank_bonus", f.flank_bonus}};
  json["fronts"] = Json::array();
  for (int front = 0; front < front_count; ++front) json["fronts"].push_back(spell(sc, kind::front, front));
  json["units"] = Json::object();
  for (int seat = 0; seat < seat_count; ++seat) {
    const Company& company = sc.companies[at(seat)];
    for (const int unit : each(company.all)) json["units"][spell(sc, kind::unit, unit_number(seat, unit))] = unit_json(company, unit);
  }
  json["cards"] = Json::object();
  for (const CardKind& card : sc.cards) json["cards"][card.id] = card_json(sc, card);
  return json;
}

}  // namespace baton::company_commander
