#include "app/odds_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <nlohmann/json.hpp>

#include "match/registry.h"

namespace baton::app {
namespace {

template <class G>
concept HasOdds = requires(const typename G::Scenario& sc, const typename G::Knowledge& known, Action action) {
  { G::odds(sc, known, action) } -> std::same_as<Json>;
};

std::string with_comma(std::string number, const Catalogue& texts) {
  if (texts.locale() == "de") std::replace(number.begin(), number.end(), '.', ',');
  return number;
}

std::string percent(double chance, const Catalogue& texts) {
  const double hundred = 100 * chance;
  const bool fine = hundred > 0 && (hundred < 10 || hundred > 90) && hundred < 100;
  return with_comma(fmt::format("{:.{}f} %", hundred, fine ? 1 : 0), texts);
}

double expected(const Json& chances) {
  double sum = 0;
  for (std::size_t i = 1; i < chances.size(); ++i) sum += static_cast<double>(i) * chances[i].get<double>();
  return sum;
}

double at_least_one(const Json& chances) { return chances.empty() ? 0 : std::max(0.0, 1 - chances[0].get<double>()); }

// An outcome's name: the game's word for it, else its id.
std::string outcome_name(const std::string& id, const Catalogue& texts) {
  const std::string key = "view." + id;
  return texts.has(key) ? texts.say(key) : id;
}

std::string seat_name(const std::string& id, const Catalogue& texts) { return texts.say("seat." + id); }

// What is counted on a side: the game's own word for it, or one of ours.
std::string counted_name(const std::string& what, const Catalogue& texts) {
  const std::string own = "view.odds-" + what;
  return texts.say(texts.has(own) ? own : "play.odds-" + what);
}

std::string hidden_in_brief(const Json& odds, const Catalogue& texts) {
  std::string all;
  for (const Json& piece : odds.value("hidden", Json::array())) {
    all += (all.empty() ? texts.say("view.troop-chance") + ": " : ", ") + piece["field"].get<std::string>() + " " +
           percent(piece["chance"].get<double>(), texts);
  }
  return all;
}

// Of a combat; nothing where the game has but one.
std::string place_of(const Json& combat, const Catalogue& texts) {
  const std::string front = combat.value("front", "");
  return texts.has("front." + front) ? texts.say("front." + front) : front;
}

std::string brief_side(const std::string& seat, const Json& side, const Catalogue& texts) {
  if (!side.contains("removals")) {
    std::string all;
    for (const auto& [what, chances] : side.items()) {
      all += (all.empty() ? "" : ", ") +
             texts.say("play.odds-expected", {{"seat", seat_name(seat, texts)},
                                              {"what", counted_name(what, texts)},
                                              {"number", with_comma(fmt::format("{:.1f}", expected(chances)), texts)}});
    }
    return all;
  }
  const auto number = [&](const char* key) { return with_comma(fmt::format("{:.1f}", expected(side.value(key, Json::array()))), texts); };
  return texts.say("play.odds-side", {{"seat", seat_name(seat, texts)},
                                      {"pins", number("pins")},
                                      {"casualties", number("casualties")},
                                      {"chance", percent(at_least_one(side.value("removals", Json::array())), texts)}});
}

// What comes of it without a fight, then each side of each fight.
Lines brief(const Json& odds, const Catalogue& texts) {
  Lines parts;
  std::string outcomes;
  for (const Json& outcome : odds.value("outcomes", Json::array())) {
    outcomes += (outcomes.empty() ? "" : ", ") + outcome_name(outcome["is"].get<std::string>(), texts) + " " +
                percent(outcome["chance"].get<double>(), texts);
  }
  if (!outcomes.empty()) parts.push_back(std::move(outcomes));
  if (std::string hidden = hidden_in_brief(odds, texts); !hidden.empty()) parts.push_back(std::move(hidden));
  const Json combats = odds.value("combats", Json::array());
  for (const Json& combat : combats) {
    // Where one is fought everybody knows which.
    const std::string place = combats.size() > 1 ? place_of(combat, texts) : "";
    for (const auto& [seat, side] : combat["sides"].items())
      parts.push_back((place.empty() ? "" : place + ": ") + brief_side(seat, side, texts));
  }
  return parts;
}

std::string bar(double chance) { return repeated("█", static_cast<int>(std::lround(chance * 30))); }

void tell_chances(Lines& lines, const std::string& title, const Json& chances, const Catalogue& texts, bool plain) {
  std::string sentence;
  bool first = true;
  for (std::size_t i = 0; i < chances.size(); ++i) {
    const double chance = chances[i].get<double>();
    if (chance < 0.0005) continue;
    if (plain) {
      sentence += (sentence.empty() ? "" : ", ") + fmt::format("{}: {}", i, percent(chance, texts));
    } else {
      lines.push_back("  " + fitted(first ? title : "", 22) + fmt::format(" {:>2} ", i) + fitted(bar(chance), 31) + percent(chance, texts));
      first = false;
    }
  }
  if (plain) lines.push_back(title + ". " + sentence + ".");
}

}  // namespace

Json odds_of(const Match& match, Seat seat, Action action) {
  Json odds;
  with_game(match.header().game, [&]<class Tag>(Tag) {
    using G = typename Tag::Type;
    if constexpr (HasOdds<G>) {
      if (const auto* typed = dynamic_cast<const TypedMatch<G>*>(&match)) odds = G::odds(typed->scenario(), typed->knowledge(seat), action);
    }
  });
  return odds;
}

Lines odds_in_brief(const Match& match, Seat seat, const Choices& choices, const Catalogue& texts) {
  Lines lines;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const Json odds = odds_of(match, seat, choices[i].action);
    if (!odds.is_object()) continue;
    const Lines parts = brief(odds, texts);
    if (parts.empty()) continue;
    lines.push_back(fmt::format("{:>3} {}", i + 1, choices[i].said));
    for (const std::string& part : parts) lines.push_back("      " + part);
  }
  return lines;
}

Lines odds_in_full(const Json& odds, const Catalogue& texts, bool plain) {
  Lines lines;
  if (!odds.is_object()) return lines;
  for (const Json& outcome : odds.value("outcomes", Json::array())) {
    const std::string name = outcome_name(outcome["is"].get<std::string>(), texts);
    const double chance = outcome["chance"].get<double>();
    lines.push_back(plain ? name + ": " + percent(chance, texts) + "."
                          : "  " + fitted(name, 26) + fitted(bar(chance), 31) + percent(chance, texts));
  }
  for (const Json& piece : odds.value("hidden", Json::array())) {
    const std::string name = piece["field"].get<std::string>() + ", " + texts.say("view.troop-chance");
    const double chance = piece["chance"].get<double>();
    lines.push_back(plain ? name + ": " + percent(chance, texts) + "."
                          : "  " + fitted(name, 26) + fitted(bar(chance), 31) + percent(chance, texts));
  }
  for (const Json& combat : odds.value("combats", Json::array())) {
    const std::string place = place_of(combat, texts);
    for (const auto& [seat, side] : combat["sides"].items()) {
      lines.push_back(seat_name(seat, texts) + (place.empty() ? "" : ", " + place));
      for (const auto& [what, chances] : side.items()) tell_chances(lines, counted_name(what, texts), chances, texts, plain);
    }
  }
  if (!lines.empty() && !odds.value("exact", true))
    lines.push_back(texts.say(texts.has("view.odds-inexact") ? "view.odds-inexact" : "play.odds-estimated"));
  return lines;
}

}  // namespace baton::app
