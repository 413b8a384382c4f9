#include "games/company_commander/scenario.h"

#include <algorithm>
#include <set>

#include "core/toml_reader.h"

namespace baton::company_commander {
namespace {

using Words = std::vector<std::string_view>;

const Words keyword_words = {"infantry", "commander", "company_hq", "platoon_hq", "recon",  "suppress", "assault", "defense",   "anti_tank",
                             "armor",    "tank",      "vehicle",    "artillery",  "mortar", "engineer", "sniper",  "no_assault"};
const Words window_words = {"deploy",
                            "move_react",
                            "own_turn_main",
                            "recon_or_suppression",
                            "suppression_start",
                            "suppression_action",
                            "suppression_roll_react",
                            "assault_block",
                            "assault_cards",
                            "rally_roll_react",
                            "own_turn_before_assault_end",
                            "any_card_window"};
const Words player_words = {"active", "opponent", "target_owner", "attacker", "defender", "unit_owner", "either"};
const Words target_words = {"none", "enemy_front", "enemy_front_or_hand", "own_front", "own_unit", "enemy_unit", "assaulting_unit"};

constexpr std::uint16_t window_bit(Window w) { return static_cast<std::uint16_t>(1u << static_cast<int>(w)); }
constexpr std::uint16_t target_bit(Target t) { return static_cast<std::uint16_t>(1u << static_cast<int>(t)); }

// Where an effect makes sense: the rules rely on a card's window and target fitting its effect.
struct EffectRule {
  std::string_view word;
  std::uint16_t windows;
  std::uint16_t targets;
  int least = 0, most = 0;  // of its amount; 0, 0: it has none
};

constexpr std::uint16_t combat_only = window_bit(Window::assault_cards);
constexpr std::uint16_t own_turn =
    window_bit(Window::deploy) | window_bit(Window::own_turn_main) | window_bit(Window::own_turn_before_assault_end);
constexpr std::uint16_t no_target = target_bit(Target::none);
constexpr std::uint16_t shared = window_bit(Window::any_card_window) | window_bit(Window::assault_block) | combat_only;

const std::array<EffectRule, static_cast<std::size_t>(Effect::simultaneous_fire) + 1> effect_rules = {{
    {"fire_dice_assaulters", combat_only, no_target, -9, 9},
    {"fire_dice_defenders", combat_only, no_target, -9, 9},
    {"fire_dice_own_side", combat_only, no_target, -9, 9},
    {"fire_dice_unit", combat_only, target_bit(Target::own_unit), -9, 9},
    {"cancel_fire", combat_only, target_bit(Target::assaulting_unit)},
    {"mines", combat_only, no_target, 1, 20},
    {"suppress", window_bit(Window::suppression_action), target_bit(Target::enemy_front), 1, 20},
    {"grant_suppression", window_bit(Window::suppression_action), target_bit(Target::own_unit)},
    {"suppress_modifier", window_bit(Window::recon_or_suppression), target_bit(Target::enemy_front), -9, 9},
    {"cancel_suppression_roll", window_bit(Window::suppression_roll_react), no_target},
    {"draw_squads", window_bit(Window::deploy), no_target, 1, 9},
    {"draw_tactics", own_turn, no_target, 1, 9},
    {"allow_assault", own_turn, target_bit(Target::own_unit)},
    {"allow_attack", own_turn, target_bit(Target::own_unit)},
    {"forbid_everything", shared, target_bit(Target::enemy_unit)},
    {"forbid_suppression", shared, target_bit(Target::enemy_unit)},
    {"forbid_move_and_assault", shared, target_bit(Target::enemy_unit)},
    {"forbid_assault", window_bit(Window::assault_block),
     static_cast<std::uint16_t>(target_bit(Target::enemy_unit) | target_bit(Target::enemy_front))},
    {"forbid_attacks_on_front", static_cast<std::uint16_t>(window_bit(Window::suppression_start) | window_bit(Window::assault_block)),
     target_bit(Target::own_front)},
    {"grant_anti_tank", shared, target_bit(Target::own_unit)},
    {"recon_success", window_bit(Window::recon_or_suppression), target_bit(Target::enemy_front_or_hand)},
    {"pin", shared, target_bit(Target::enemy_unit), 1, 9},
    {"cancel_move", window_bit(Window::move_react), no_target},
    {"cancel_rally_roll", window_bit(Window::rally_roll_react), no_target},
    {"extra_rally_roll", window_bit(Window::rally_roll_react), no_target},
    {"simultaneous_fire", combat_only, no_target},
}};

template <class Enum>
Enum as_enum(const Words& words, std::string_view word) {
  return static_cast<Enum>(std::find(words.begin(), words.end(), word) - words.begin());
}

std::string joined(const Words& words) {
  std::string text;
  for (const auto word : words) text += (text.empty() ? "" : ", ") + std::string(word);
  return text;
}

std::uint32_t bits_of(TomlTable& table, std::string_view key, const Words& words) {
  std::uint32_t bits = 0;
  for (const std::string& word : table.texts_or_none(key)) {
    if (std::find(words.begin(), words.end(), word) == words.end()) {
      table.wrong(key, "\"" + word + "\" is not known; expected some of " + joined(words) + ".");
    } else {
      bits |= bit(static_cast<int>(as_enum<Keyword>(words, word)));
    }
  }
  return bits;
}

// Ids become words of actions and records, so they are plain: "rifle", "heavy-rifle".
void check_id(TomlTable& table, const std::string& id) {
  const bool plain =
      !id.empty() && id.size() <= 40 &&
      std::all_of(id.begin(), id.end(), [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; }) &&
      id.front() >= 'a' && id.front() <= 'z' && id.back() != '-';
  if (!plain) table.wrong("id", "an id is made of small letters, digits and hyphens and starts with a letter; \"" + id + "\" is not.");
}

std::map<std::string, std::string> locale_texts(TomlTable& table, std::string_view key) {
  std::map<std::string, std::string> texts;
  if (!table.has(key)) return texts;
  TomlTable inner = table.table(key);
  for (const std::string& locale : inner.keys()) {
    if (locale != "en" && locale != "de" && locale != "ja") inner.wrong(locale, "expected the languages en, de, ja here.");
    texts[locale] = inner.text(locale);
  }
  return texts;
}

Figures read_figures(TomlTable table) {
  Figures f;
  const auto read = [&](std::string_view key, int& into, int least, int most) { into = table.integer_or(key, least, most, into); };
  read("draw_squads", f.draw_squads, 1, 10);
  read("draw_tactics", f.draw_tactics, 0, 10);
  read("hand_limit", f.hand_limit, 1, 20);
  read("kills_to_win", f.kills_to_win, 1, max_units);
  read("automatic_win_from_round", f.automatic_win_from_round, 1, 1000);
  read("fronts_for_automatic_win", f.fronts_for_automatic_win, 1, front_count);
  read("enemy_fronts_at_most", f.enemy_fronts_at_most, 0, front_count - 1);
  read("recon_nothing", f.recon_nothing, 1, 7);
  read("recon_success", f.recon_success, 1, 7);
  read("suppression_pin", f.suppression_pin, 2, 13);
  read("suppression_casualty", f.suppression_casualty, 2, 13);
  read("fire_pin", f.fire_pin, 1, 7);
  read("fire_casualty", f.fire_casualty, 1, 7);
  read("rally", f.rally, 1, 7);
  read("armor", f.armor, 1, 12);
  read("hq_rally_bonus", f.hq_rally_bonus, 0, 6);
  read("flank_bonus", f.flank_bonus, 0, 6);
  read("assault_dice", f.assault_dice, 0, 9);
  read("defense_dice", f.defense_dice, 0, 9);
  read("commander_lost_at_most", f.commander_lost_at_most, 0, 6);
  read("handicap_squads", f.handicap_squads, 0, 9);
  read("handicap_tactics", f.handicap_tactics, 0, 9);
  if (f.enemy_fronts_at_most >= f.fronts_for_automatic_win)
    table.wrong("enemy_fronts_at_most", "must be less than fronts_for_automatic_win, or both sides could win at once.");
  if (f.suppression_pin > f.suppression_casualty) table.wrong("suppression_pin", "must not be above suppression_casualty.");
  if (f.fire_pin > f.fire_casualty) table.wrong("fire_pin", "must not be above fire_casualty.");
  if (f.fire_pin > 6 && f.suppression_pin > 12) table.wrong("fire_pin", "with no hit on either table the game could not end.");
  if (f.recon_nothing > f.recon_success) table.wrong("recon_nothing", "must not be above recon_success.");
  if (f.handicap_squads >= f.draw_squads && f.draw_squads > 1) table.wrong("handicap_squads", "must be less than draw_squads.");
  table.no_more_keys();
  return f;
}

UnitKind read_unit(TomlTable table, const Options& options, std::set<std::string>& ids) {
  UnitKind unit;
  unit.id = table.text("id");
  check_id(table, unit.id);
  if (!ids.insert(unit.id).second) table.wrong("id", "another unit is called \"" + unit.id + "\"; ids must differ across both companies.");
  unit.copies = table.integer_or("copies", 1, max_units, 1);
  unit.strength = table.integer("strength", 1, 9);
  unit.keywords = bits_of(table, "keywords", keyword_words);
  if (table.flag_or("infantry_by_option", false) && options.half_squad_us_is_infantry)
    unit.keywords |= bit(static_cast<int>(Keyword::infantry));
  const auto modifier = [&](std::string_view key, Keyword needs, int& into) {
    into = table.integer_or(key, -6, 6, 0);
    if (into != 0 && !baton::has(unit.keywords, static_cast<int>(needs))) {
      table.wrong(key, "has no effect without the keyword \"" + std::string(keyword_words[static_cast<std::size_t>(needs)]) + "\".");
    }
  };
  modifier("recon_modifier", Keyword::recon, unit.recon_modifier);
  modifier("suppress_modifier", Keyword::suppress, unit.suppress_modifier);
  modifier("armor_modifier", Keyword::armor, unit.armor_modifier);
  unit.rally_modifier = table.integer_or("rally_modifier", -6, 6, 0);
  unit.names = locale_texts(table, "name");
  table.no_more_keys();
  return unit;
}

CardKind read_card(TomlTable table, const std::array<Company, seat_count>& companies, std::set<std::string>& ids) {
  CardKind card;
  card.id = table.text("id");
  check_id(table, card.id);
  if (!ids.insert(card.id).second) table.wrong("id", "another card is called \"" + card.id + "\".");
  card.copies = table.integer_or("copies", 1, max_cards, 1);
  card.support = table.flag_or("support", false);
  if (table.has("company")) {
    const std::string nation = table.one_of("company", {companies[0].id, companies[1].id});
    card.nation = nation == companies[0].id ? 0 : 1;
  }
  card.by = as_enum<PlayedBy>(player_words, table.one_of("by", player_words));
  card.windows = static_cast<std::uint16_t>(bits_of(table, "windows", window_words));
  if (card.windows == 0) table.wrong("windows", "a card needs at least one window of " + joined(window_words) + ".");
  card.target = as_enum<Target>(target_words, table.one_of("target", target_words));
  card.needs = bits_of(table, "needs", keyword_words);
  card.bars = bits_of(table, "bars", keyword_words);

  Words effect_words;
  for (const EffectRule& rule : effect_rules) effect_words.push_back(rule.word);
  card.effect = as_enum<Effect>(effect_words, table.one_of("effect", effect_words));
  const EffectRule& rule = effect_rules[static_cast<std::size_t>(card.effect)];
  if (rule.least != 0 || rule.most != 0) {
    card.amount = table.integer("amount", rule.least, rule.most);
    if (card.amount == 0) table.wrong("amount", "must not be 0.");
  }
  card.whole_turn = table.flag_or("whole_turn", false);
  card.names = locale_texts(table, "name");
  card.texts = locale_texts(table, "text");

  Words fitting;
  for (std::size_t w = 0; w < window_words.size(); ++w) {
    if (rule.windows >> w & 1) fitting.push_back(window_words[w]);
  }
  if ((card.windows & ~rule.windows) != 0)
    table.wrong("windows", "the effect \"" + std::string(rule.word) + "\" fits only " + joined(fitting) + ".");
  fitting.clear();
  for (std::size_t t = 0; t < target_words.size(); ++t) {
    if (rule.targets >> t & 1) fitting.push_back(target_words[t]);
  }
  if ((rule.targets >> static_cast<int>(card.target) & 1) == 0) {
    table.wrong("target", "the effect \"" + std::string(rule.word) + "\" needs the target " + joined(fitting) + ".");
  }
  table.no_more_keys();
  return card;
}

void derive(Company& company, TomlTable& table) {
  int unit = 0;
  for (std::size_t k = 0; k < company.kinds.size(); ++k) {
    const UnitKind& kind = company.kinds[k];
    for (int copy = 1; copy <= kind.copies; ++copy, ++unit) {
      if (unit >= max_units) {
        table.wrong("unit", "a company has at most " + std::to_string(max_units) + " units, copies counted.");
        return;
      }
      const auto u = static_cast<std::size_t>(unit);
      company.all |= bit(unit);
      for (int word = 0; word < keyword_count; ++word) {
        if (baton::has(kind.keywords, word)) company.with[static_cast<std::size_t>(word)] |= bit(unit);
      }
      company.kind[u] = static_cast<std::uint8_t>(k);
      company.ordinal[u] = static_cast<std::uint8_t>(copy);
      company.strength[u] = static_cast<std::int8_t>(kind.strength);
      company.recon_modifier[u] = static_cast<std::int8_t>(kind.recon_modifier);
      company.suppress_modifier[u] = static_cast<std::int8_t>(kind.suppress_modifier);
      company.armor_modifier[u] = static_cast<std::int8_t>(kind.armor_modifier);
      company.rally_modifier[u] = static_cast<std::int8_t>(kind.rally_modifier);
    }
  }
  // R48, R49
  company.anti_tank_first =
      company.with[static_cast<std::size_t>(Keyword::vehicle)] | company.with[static_cast<std::size_t>(Keyword::artillery)];
}

// Which windows are open at a step, for the active seat and for the other (rulings, section 3).
std::uint16_t open_windows(Step step, bool active) {
  const auto main = static_cast<std::uint16_t>(window_bit(Window::own_turn_main) | window_bit(Window::own_turn_before_assault_end));
  const auto any = window_bit(Window::any_card_window);
  const auto join = [](auto... parts) { return static_cast<std::uint16_t>((parts | ...)); };
  switch (step) {
    case Step::deploy: return active ? join(main, any, window_bit(Window::deploy)) : 0;
    case Step::move_reaction: return active ? 0 : window_bit(Window::move_react);
    case Step::deploy_window:
    case Step::tactics_window: return active ? join(main, any) : any;
    case Step::tactics: return active ? join(main, any) : 0;
    case Step::recon: return active ? join(main, any, window_bit(Window::recon_or_suppression)) : 0;
    case Step::spotted_reaction: return active ? window_bit(Window::suppression_roll_react) : 0;
    case Step::suppression_window:
      return active ? join(main, any, window_bit(Window::recon_or_suppression)) : join(any, window_bit(Window::suppression_start));
    case Step::suppression:
      return active ? join(main, window_bit(Window::recon_or_suppression), window_bit(Window::suppression_action)) : 0;
    case Step::fog_reaction: return active ? 0 : window_bit(Window::suppression_start);
    case Step::roll_reaction: return active ? 0 : window_bit(Window::suppression_roll_react);
    case Step::declare: return active ? window_bit(Window::own_turn_before_assault_end) : 0;
    case Step::block: return active ? any : join(any, window_bit(Window::assault_block));
    case Step::combat_cards: return join(any, window_bit(Window::assault_cards));
    case Step::shaken_reaction: return active ? 0 : window_bit(Window::rally_roll_react);
    case Step::extra_rally: return active ? window_bit(Window::rally_roll_react) : 0;
    default: return 0;
  }
}

bool may_play(PlayedBy by, bool active) {
  switch (by) {
    case PlayedBy::active:
    case PlayedBy::attacker: return active;
    case PlayedBy::opponent:
    case PlayedBy::defender: return !active;
    case PlayedBy::target_owner:  // only its owner is asked when a roll is on the table
    case PlayedBy::unit_owner:
    case PlayedBy::either: return true;
  }
  return false;
}

void derive_cards(Scenario& sc, TomlTable& root) {
  int card = 0;
  for (std::size_t k = 0; k < sc.cards.size(); ++k) {
    sc.copies.push_back(0);
    for (int copy = 0; copy < sc.cards[k].copies; ++copy, ++card) {
      if (card >= max_cards) {
        root.wrong("card", "the tactics deck has at most " + std::to_string(max_cards) + " cards, copies counted.");
        return;
      }
      sc.card_kind[static_cast<std::size_t>(card)] = static_cast<std::uint8_t>(k);
      sc.copies[k] |= bit<CardSet>(card);
      sc.all_cards |= bit<CardSet>(card);
    }
    if (sc.cards[k].copies > 1) sc.several_copies.push_back(sc.copies[k]);
  }
  sc.card_count = card;
  for (int seat = 0; seat < seat_count; ++seat) {
    for (int step = 0; step < step_count; ++step) {
      for (int active = 0; active < 2; ++active) {
        CardSet& set = sc.playable[static_cast<std::size_t>(seat)][static_cast<std::size_t>(step)][static_cast<std::size_t>(active)];
        for (std::size_t k = 0; k < sc.cards.size(); ++k) {
          const CardKind& kind = sc.cards[k];
          bool window = (kind.windows & open_windows(static_cast<Step>(step), active == 1)) != 0;
          // R73: a success can only be cancelled, a failure only repeated.
          if (step == static_cast<int>(Step::shaken_reaction)) window = window && kind.effect == Effect::cancel_rally_roll;
          if (step == static_cast<int>(Step::extra_rally)) window = window && kind.effect == Effect::extra_rally_roll;
          if (window && may_play(kind.by, active == 1) && (kind.nation < 0 || kind.nation == seat)) set |= sc.copies[k];
        }
      }
    }
  }
}

// A game that cannot be won would never end.
void check_winnable(const Scenario& sc, TomlTable& root) {
  for (const Company& company : sc.companies) {
    UnitSet counting = company.all;
    if (sc.options.commander_option) counting &= ~company.with[static_cast<std::size_t>(Keyword::commander)];  // R78c
    if (std::popcount(counting) < sc.figures.kills_to_win) {
      root.wrong("company", "the company \"" + company.id + "\" has only " + std::to_string(std::popcount(counting)) +
                                " units that count as kills, fewer than kills_to_win = " + std::to_string(sc.figures.kills_to_win) + ".");
    }
  }
}

}  // namespace

std::string_view word_of(Keyword keyword) { return keyword_words[static_cast<std::size_t>(keyword)]; }
std::string_view word_of(Window window) { return window_words[static_cast<std::size_t>(window)]; }
std::string_view word_of(PlayedBy by) { return player_words[static_cast<std::size_t>(by)]; }
std::string_view word_of(Target target) { return target_words[static_cast<std::size_t>(target)]; }
std::string_view word_of(Effect effect) { return effect_rules[static_cast<std::size_t>(effect)].word; }

const std::vector<Option>& options() {
  static const std::vector<Option> all = {
      {"fire_bonus_mode", Option::Type::choice, "dice", {"dice", "drm"}},
      {"support_roll_mode", Option::Type::choice, "n_times_2d6", {"n_times_2d6", "sum_nd6"}},
      {"hq_rally_scope", Option::Type::choice, "same_front", {"same_front", "any_front"}},
      {"commander_option", Option::Type::flag, "false", {}},
      {"half_squad_us_is_infantry", Option::Type::flag, "false", {}},
      {"first_turn_balance", Option::Type::flag, "false", {}},
      {"max_rounds", Option::Type::number, "0", {}, 0, 500},
  };
  return all;
}

Expected<Scenario> load(const ScenarioFile& file, const OptionValues& chosen) {
  TomlFile toml(file.name, file.text);
  if (toml.problem()) return tl::make_unexpected(*toml.problem());
  TomlTable root = toml.root();
  root.one_of("format", {"company-commander/1"});

  // A scenario may set its own defaults; the match's choice goes over them.
  OptionValues values;
  if (root.has("options")) {
    TomlTable table = root.table("options");
    for (const std::string& key : table.keys()) values[key] = table.value_as_text(key);
    if (auto fitting = complete_options(options(), values); !fitting) return problem(table.where(), fitting.error().text());
  }
  for (const auto& [key, value] : chosen) values[key] = value;
  auto complete = complete_options(options(), values);
  if (!complete) return tl::make_unexpected(complete.error());

  Scenario sc;
  Options& o = sc.options;
  o.fire_bonus_as_modifier = complete->at("fire_bonus_mode") == "drm";
  o.support_as_sum = complete->at("support_roll_mode") == "sum_nd6";
  o.rally_any_front = complete->at("hq_rally_scope") == "any_front";
  o.commander_option = complete->at("commander_option") == "true";
  o.half_squad_us_is_infantry = complete->at("half_squad_us_is_infantry") == "true";
  o.first_turn_balance = complete->at("first_turn_balance") == "true";
  o.max_rounds = std::stoi(complete->at("max_rounds"));
  sc.option_values = std::move(*complete);

  if (root.has("figures")) sc.figures = read_figures(root.table("figures"));

  std::set<std::string> unit_ids, card_ids;
  std::size_t count = 0;
  root.each("company", [&](TomlTable table) {
    if (count >= seat_count) {
      table.wrong("", "there are exactly two companies; this is one too many.");
      return;
    }
    Company& company = sc.companies[count++];
    company.id = table.text("id");
    check_id(table, company.id);
    company.names = locale_texts(table, "name");
    table.each("unit", [&](TomlTable unit) { company.kinds.push_back(read_unit(std::move(unit), o, unit_ids)); });
    if (company.kinds.empty()) table.wrong("", "a company needs at least one [[company.unit]].");
    if (!toml.problem()) derive(company, table);
    table.no_more_keys();
  });
  if (count != seat_count) root.wrong("company", "there must be exactly two [[company]] tables; found " + std::to_string(count) + ".");
  if (sc.companies[0].id == sc.companies[1].id) root.wrong("company", "the two companies need different ids.");
  if (toml.problem()) return tl::make_unexpected(*toml.problem());

  root.each("card", [&](TomlTable card) { sc.cards.push_back(read_card(std::move(card), sc.companies, card_ids)); });
  if (sc.cards.size() > max_cards) root.wrong("card", "the tactics deck has at most " + std::to_string(max_cards) + " cards.");
  if (toml.problem()) return tl::make_unexpected(*toml.problem());
  derive_cards(sc, root);
  root.no_more_keys();
  check_winnable(sc, root);
  if (toml.problem()) return tl::make_unexpected(*toml.problem());
  sc.id = file.name;
  return sc;
}

}  // namespace baton::company_commander
