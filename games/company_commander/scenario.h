// Company Commander: two companies, three fronts, squad and tactics cards, dice.
//
// A scenario is everything that does not change during a match: the figures of the rules, both companies, the
// tactics deck and the chosen options. It is read from a TOML file (scenarios/normandy.toml is the rulebook's own)
// and checked; the sets below its lists are derived so that the rules can work on whole groups of units at once.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/bits.h"
#include "core/game.h"
#include "games/company_commander/judgement_weights.h"

namespace baton::company_commander {

inline constexpr int seat_count = 2;
inline constexpr int front_count = 3;
inline constexpr int max_units = 32;  // of one company
inline constexpr int max_cards = 64;  // of the tactics deck

using UnitSet = std::uint32_t;  // units of one company, by their number in it
using CardSet = std::uint64_t;  // tactics cards, by their number in the deck
using FrontSet = std::uint8_t;

enum class Front : std::uint8_t { left, center, right };

// The moments at which somebody chooses, in the order of a turn.
enum class Step : std::uint8_t {
  deploy,              // place drawn squads, move, headquarters draw, cards
  move_reaction,       // the other seat may stop the announced move
  deploy_window,       // both may play cards at the end of the phase
  tactics,             // cards after the draw
  tactics_window,      //
  discard,             // down to the hand limit
  recon,               // missions and cards
  spotted_reaction,    // the owner of a spotted unit may cancel the roll against it
  recon_reward,        // a successful mission: look, or direct the fire
  suppression_window,  // end of recon and start of suppression
  suppression,         // unit fire, support cards
  fog_reaction,        // a target front was named
  roll_reaction,       // a suppression roll was seen
  declare,             // name assaulting units and their targets
  block,               // blocking cards
  combat_order,        // which assault comes first
  combat_cards,        // cards of one combat
  defenders_fire,      // order of fire, asked only where it can matter
  attackers_fire,      //
  rally,               // one roll for each pinned unit
  shaken_reaction,     // the other seat may cancel a success
  extra_rally,         // the owner may repeat a failure
  end_discard,         // down to the hand limit at the end of the turn
  over,
};
inline constexpr int step_count = static_cast<int>(Step::over) + 1;

// When a card may be played (rulings, section 3).
enum class Window : std::uint8_t {
  deploy,
  move_react,
  own_turn_main,
  recon_or_suppression,
  suppression_start,
  suppression_action,
  suppression_roll_react,
  assault_block,
  assault_cards,
  rally_roll_react,
  own_turn_before_assault_end,
  any_card_window,
};
inline constexpr int window_count = static_cast<int>(Window::any_card_window) + 1;

enum class PlayedBy : std::uint8_t { active, opponent, target_owner, attacker, defender, unit_owner, either };

enum class Target : std::uint8_t {
  none,  // the card player himself, the roll, the move or the front in question
  enemy_front,
  enemy_front_or_hand,
  own_front,
  own_unit,
  enemy_unit,
  assaulting_unit,
};

enum class Effect : std::uint8_t {
  fire_dice_assaulters,  // amount
  fire_dice_defenders,   // amount
  fire_dice_own_side,    // amount, all units of the card player in the combat
  fire_dice_unit,        // amount
  cancel_fire,
  mines,     // amount of fire rolls
  suppress,  // amount of suppression rolls
  grant_suppression,
  suppress_modifier,  // amount
  cancel_suppression_roll,
  draw_squads,   // amount
  draw_tactics,  // amount
  allow_assault,
  allow_attack,  // suppress or assault
  forbid_everything,
  forbid_suppression,
  forbid_move_and_assault,
  forbid_assault,  // a unit, or every unit of an enemy front
  forbid_attacks_on_front,
  grant_anti_tank,
  recon_success,
  pin,  // amount
  cancel_move,
  cancel_rally_roll,
  extra_rally_roll,
  simultaneous_fire,
};

// Words printed on units.
enum class Keyword : std::uint8_t {
  infantry,  // type UI
  commander,
  company_hq,
  platoon_hq,
  recon,
  suppress,
  assault,
  defense,
  anti_tank,
  armor,
  tank,
  vehicle,
  artillery,
  mortar,
  engineer,
  sniper,
  no_assault,
};
inline constexpr int keyword_count = static_cast<int>(Keyword::no_assault) + 1;

struct UnitKind {
  std::string id;
  int copies = 1;
  int strength = 1;
  std::uint32_t keywords = 0;  // bits of Keyword
  int recon_modifier = 0, suppress_modifier = 0, armor_modifier = 0, rally_modifier = 0;
  std::map<std::string, std::string> names;  // by locale; only for units that the catalogue does not know
};

struct CardKind {
  std::string id;
  int copies = 1;
  bool support = false;  // type S
  int nation = -1;       // the seat that may play it, -1 for both
  PlayedBy by = PlayedBy::either;
  std::uint16_t windows = 0;  // bits of Window
  Target target = Target::none;
  std::uint32_t needs = 0, bars = 0;  // keywords the target unit must, must not have
  Effect effect = Effect::draw_squads;
  int amount = 0;
  bool whole_turn = false;                          // fire dice of a unit last for the turn, else for the combat
  std::map<std::string, std::string> names, texts;  // by locale; only for cards that the catalogue does not know
};

struct Options {
  bool fire_bonus_as_modifier = false;     // fire_bonus_mode = drm (R21)
  bool support_as_sum = false;             // support_roll_mode = sum_nd6 (R23)
  bool rally_any_front = false;            // hq_rally_scope = any_front (R55)
  bool commander_option = false;           // R78
  bool half_squad_us_is_infantry = false;  // R64
  bool first_turn_balance = false;         // R79
  int max_rounds = 0;                      // 0: off (R12)
};

// The figures of the rulebook's tables; a result counts from its number on.
struct Figures {
  int draw_squads = 3, draw_tactics = 2, hand_limit = 7;
  int kills_to_win = 10, automatic_win_from_round = 3, fronts_for_automatic_win = 3, enemy_fronts_at_most = 1;
  int recon_nothing = 3, recon_success = 5;
  int suppression_pin = 8, suppression_casualty = 11;
  int fire_pin = 4, fire_casualty = 6;
  int rally = 5, armor = 6;
  int hq_rally_bonus = 2, flank_bonus = 1, assault_dice = 1, defense_dice = 2;
  int commander_lost_at_most = 1;                 // commander option: removed on this roll or less
  int handicap_squads = 1, handicap_tactics = 1;  // first_turn_balance: fewer squads, more tactics cards
};

struct Company {
  std::string id;                            // the seat's name: "us"
  std::map<std::string, std::string> names;  // by locale; only for companies that the catalogue does not know
  std::vector<UnitKind> kinds;

  // Derived, by unit number.
  UnitSet all = 0;
  std::array<UnitSet, keyword_count> with{};  // units with a keyword
  UnitSet anti_tank_first = 0;                // vehicles and artillery (R48, R49)
  std::array<std::uint8_t, max_units> kind{}, ordinal{};
  std::array<std::int8_t, max_units> strength{}, recon_modifier{}, suppress_modifier{}, armor_modifier{}, rally_modifier{};
};

struct Scenario {
  std::string id;
  std::array<Company, seat_count> companies;
  std::vector<CardKind> cards;
  Figures figures;
  Options options;
  OptionValues option_values;  // the same as they are typed, the scenario's own defaults included

  // Derived, by card number.
  CardSet all_cards = 0;
  int card_count = 0;
  std::array<std::uint8_t, max_cards> card_kind{};
  std::vector<CardSet> copies;          // by card kind
  std::vector<CardSet> several_copies;  // of the kinds that have more than one
  // playable[seat][step][1 if that seat is active]: cards whose window, player and nation fit.
  std::array<std::array<std::array<CardSet, 2>, step_count>, seat_count> playable{};

  // Of the judgement of positions; no rule asks for them.
  Weights weights;

  UnitSet with(int seat, Keyword keyword) const {
    return companies[static_cast<std::size_t>(seat)].with[static_cast<std::size_t>(keyword)];
  }
};

// The words that a scenario file has for them.
std::string_view word_of(Keyword keyword);
std::string_view word_of(Window window);
std::string_view word_of(PlayedBy by);
std::string_view word_of(Target target);
std::string_view word_of(Effect effect);

const std::vector<Option>& options();
Expected<Scenario> load(const ScenarioFile& file, const OptionValues& chosen);

}  // namespace baton::company_commander
