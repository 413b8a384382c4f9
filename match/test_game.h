// "Bluff", a game for the tests of this room: it has everything a game may have, in little.
//
// Two or three seats hold hidden hands of three from twelve cards. Each round the leader prepares in the open (raises the stake, peeks
// at a hand), then all bid a card at once in secret, the highest wins a die roll times the stake, and the next seat may cancel it with
// its one token. Hands empty, the best score wins.
//
// A flaw can be built in, to prove that the conformance loop finds it.
#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/bits.h"
#include "core/game.h"
#include "core/toml_reader.h"

namespace baton::bluff {

enum class Flaw {
  none,
  leaky_knowledge,    // a viewer's knowledge holds the others' secret bids
  leaky_event,        // everyone is told which card was bid
  leaky_deck,         // everyone is told how many high cards lie in the deck
  leaky_choosing,     // who must choose depends on a hidden card
  leaky_actions,      // what a seat may do depends on a hidden card
  shuffled_list,      // the same position lists its actions in a different order
  double_list,        // an action is listed twice
  gives_up_first,     // the action that gives up is not listed last
  illegal_accepted,   // an action that is not listed is not refused
  legal_refused,      // a listed action is refused
  forgetful_save,     // a restored game has lost the stake
  forgetful_imagine,  // an imagined position has lost the tokens
  hidden_dice,        // a die that was not asked from Chance
  endless,            // nobody ever wins
  ordered_bids,       // the order of the secret bids matters
  lost_card,          // a card vanishes
  unreadable_action,  // an action does not read back from its words
};

inline constexpr int max_players = 3;
inline constexpr int card_count = 12;
inline constexpr int hand_size = 3;

enum class Phase : std::uint8_t { prepare, bid, react, over };
enum Verb : std::uint16_t { raise_one, raise_by, peek, done, bid, cancel, accept };
enum Happening : std::uint16_t { dealt, raised, peeked, saw, bid_made, own_bid, bids_shown, rolled, cancelled, scored };
enum class Refusal : std::uint8_t {
  none,
  not_your_choice,
  wrong_phase,
  no_such_action,
  stake_too_high,
  cannot_peek,
  not_in_hand,
  no_token
};
inline constexpr Kind card_kind = 1, seat_kind = 2;

inline constexpr std::array<Phrase, 7> verbs = {{
    {"raise", {}},
    {"raise", {{{"amount"}}}},
    {"peek", {{{"seat", seat_kind}}}},
    {"done", {}},
    {"bid", {{{"card", card_kind}}}},
    {"cancel", {}},
    {"accept", {}},
}};
inline constexpr std::array<Phrase, 10> events = {{
    {"dealt", {{{"seat", seat_kind}, {"card", card_kind}}}},
    {"raised", {{{"seat", seat_kind}, {"stake"}}}},
    {"peeked", {{{"seat", seat_kind}, {"at", seat_kind}}}},
    {"saw", {{{"at", seat_kind}, {"card", card_kind}}}},
    {"bid-made", {{{"seat", seat_kind}, {"mark"}}}},
    {"own-bid", {{{"card", card_kind}}}},
    {"bid-shown", {{{"seat", seat_kind}, {"card", card_kind}}}},
    {"rolled", {{{"seat", seat_kind}, {"roll"}}}},
    {"cancelled", {{{"seat", seat_kind}}}},
    {"scored", {{{"seat", seat_kind}, {"score"}}}},
}};
inline constexpr std::array<std::string_view, 8> refusals = {
    "none", "not-your-choice", "wrong-phase", "no-such-action", "stake-too-high", "cannot-peek", "not-in-hand", "no-token",
};
inline constexpr std::array<std::string_view, 2> reasons = {"cards-out", "goal-reached"};

struct Scenario {
  int players = 2;
  int most_stake = 6;
  OptionValues option_values;
  int goal = 40;
};

struct State {
  std::array<std::uint16_t, max_players> hand{};  // a bid card stays in its hand until bids are shown
  std::uint16_t deck = 0, discard = 0;
  std::array<std::int8_t, max_players> bid{-1, -1, -1};
  std::array<std::int8_t, max_players> shown{-1, -1, -1};  // the bids of the last round
  std::array<std::uint8_t, max_players> seen{};            // whose hands each seat has seen
  std::array<std::uint8_t, max_players> tokens{}, score{};
  Phase phase = Phase::prepare;
  std::uint8_t leader = 0, winner = 0, stake = 1, roll = 0;
  bool operator==(const State&) const = default;
};

struct Knowledge {
  std::uint8_t viewer = 0;
  std::array<std::uint16_t, max_players> hand{};  // of those whose hands the viewer knows
  std::array<std::uint8_t, max_players> hand_count{};
  std::uint8_t known_hands = 0;
  std::uint16_t unseen = 0, discard = 0;
  std::array<std::int8_t, max_players> bid{-1, -1, -1};  // -1 none, -2 hidden
  std::array<std::int8_t, max_players> shown{-1, -1, -1};
  std::array<std::uint8_t, max_players> seen{}, tokens{}, score{};
  Phase phase = Phase::prepare;
  std::uint8_t leader = 0, winner = 0, stake = 1, roll = 0;
  bool operator==(const Knowledge&) const = default;
};

struct Bluff {
  static inline Flaw flaw = Flaw::none;  // set by the tests that prove a flaw is found

  using Scenario = bluff::Scenario;
  using State = bluff::State;
  using Knowledge = bluff::Knowledge;
  using Refusal = bluff::Refusal;

  static constexpr std::string_view id = "bluff";

  static const std::vector<Option>& options() {
    static const std::vector<Option> all = {
        {.name = "most_stake", .type = Option::Type::number, .standard = "6", .values = {}, .least = 1, .most = 20}};
    return all;
  }

  static Expected<Scenario> load(const ScenarioFile& file, const OptionValues& chosen) {
    TomlFile toml(file.name, file.text);
    TomlTable root = toml.root();
    Scenario sc;
    sc.players = root.integer("players", 2, max_players);
    sc.goal = root.integer_or("goal", 1, 200, sc.goal);
    root.no_more_keys();
    if (toml.problem()) return tl::make_unexpected(*toml.problem());
    auto complete = complete_options(options(), chosen);
    if (!complete) return tl::make_unexpected(complete.error());
    sc.most_stake = std::stoi(complete->at("most_stake"));
    sc.option_values = std::move(*complete);
    return sc;
  }

  static const OptionValues& option_values(const Scenario& sc) { return sc.option_values; }
  static bool gives_up(Action action) { return flaw == Flaw::gives_up_first && action.verb == raise_one; }

  static std::vector<std::string> seats(const Scenario& sc) {
    std::vector<std::string> all = {"north", "south", "west"};
    all.resize(size(sc));
    return all;
  }

  static State start(const Scenario& sc, Chance& chance, Events& log) {
    State s;
    s.deck = (1u << card_count) - 1;
    for (std::size_t seat = 0; seat < size(sc); ++seat) {
      for (int i = 0; i < hand_size; ++i) {
        const int card = pick_member(s.deck, chance);
        s.deck = static_cast<std::uint16_t>(s.deck & ~bit<std::uint16_t>(card));
        s.hand[seat] = static_cast<std::uint16_t>(s.hand[seat] | bit<std::uint16_t>(card));
        log.tell(Seat(seat), dealt, seat, card);
      }
      s.tokens[seat] = 1;
    }
    return s;
  }

  static Seats choosing(const Scenario& sc, const State& s) {
    if (flaw == Flaw::leaky_choosing) {
      if (s.phase == Phase::prepare && has(s.hand[1], 0)) return Seat{1};
    }
    switch (s.phase) {
      case Phase::prepare: return Seat{s.leader};
      case Phase::bid: {
        Seats all;
        for (std::size_t seat = 0; seat < size(sc); ++seat) {
          if (s.bid[seat] < 0) all = all | Seat(seat);
        }
        return all;
      }
      case Phase::react: return Seat(next_seat(sc, s.winner));
      case Phase::over: break;
    }
    return Seats::none();
  }

  static void actions(const Scenario& sc, const State& s, Seat seat, ActionList& list) {
    if (!choosing(sc, s).has(seat)) return;
    const auto offer = [&](Action action) {
      if (plain_why_not(sc, s, seat, action) == Refusal::none) list.push(action);
    };
    if (flaw == Flaw::shuffled_list) {
      static int calls = 0;
      if (++calls % 2 == 0) offer({done});
    }
    if (flaw == Flaw::leaky_actions) {
      if (seat == Seat{0} && has(s.hand[1], 3) && s.phase == Phase::prepare) {
        list.push({done});
        return;
      }
    }
    offer({raise_one});
    for (std::uint16_t amount = 2; amount <= 3; ++amount) offer({raise_by, amount});
    for (std::uint16_t other = 0; other < size(sc); ++other) offer({peek, other});
    if (flaw == Flaw::shuffled_list) {
      if (list.empty() || list[0] != Action{done}) offer({done});
    } else {
      offer({done});
    }
    if (flaw == Flaw::double_list) offer({done});
    for (const int card : each(s.hand[at(seat)])) offer({Verb::bid, static_cast<std::uint16_t>(card)});
    offer({cancel});
    offer({accept});
    if (flaw == Flaw::unreadable_action) {
      if (s.phase == Phase::react) list.push({accept, 0, 0, 7});
    }
  }

  static Refusal why_not(const Scenario& sc, const State& s, Seat seat, Action action) {
    if (flaw == Flaw::illegal_accepted) {
      if (action.verb == cancel && s.phase == Phase::react && choosing(sc, s).has(seat)) return Refusal::none;
    }
    if (flaw == Flaw::legal_refused) {
      if (action == Action{raise_by, 3}) return Refusal::stake_too_high;
    }
    if (flaw == Flaw::unreadable_action) {
      if (action == Action{accept, 0, 0, 7} && s.phase == Phase::react && choosing(sc, s).has(seat)) return Refusal::none;
    }
    if (flaw == Flaw::leaky_actions) {
      if (seat == Seat{0} && has(s.hand[1], 3) && s.phase == Phase::prepare && action != Action{done}) return Refusal::wrong_phase;
    }
    return plain_why_not(sc, s, seat, action);
  }

  static void apply(const Scenario& sc, State& s, Seat seat, Action action, Chance& chance, Events& log) {
    const std::size_t mover = at(seat);
    switch (action.verb) {
      case raise_one:
      case raise_by: {
        const int by = action.verb == raise_one ? 1 : action.a;
        s.stake = static_cast<std::uint8_t>(s.stake + by);
        log.tell(Seats::everyone(), raised, mover, flaw == Flaw::leaky_deck ? std::popcount(unsigned{s.deck} & 0xFC0u) : s.stake);
        break;
      }
      case peek:
        s.seen[mover] = static_cast<std::uint8_t>(s.seen[mover] | 1u << action.a);
        log.tell(Seats::everyone(), peeked, mover, action.a);
        for (const int card : each(s.hand[action.a])) log.tell(seat, saw, action.a, card);
        break;
      case done: s.phase = Phase::bid; break;
      case Verb::bid:
        s.bid[mover] = static_cast<std::int8_t>(action.a);
        log.tell(seat, own_bid, action.a);
        log.tell(Seats::everyone(), bid_made, mover, flaw == Flaw::leaky_event ? action.a : 0);
        if (choosing(sc, s).empty()) show_bids(sc, s, seat, chance, log);
        break;
      case cancel:
        --s.tokens[mover];
        log.tell(Seats::everyone(), cancelled, mover);
        finish_round(sc, s);
        break;
      case accept:
        s.score[s.winner] = static_cast<std::uint8_t>(s.score[s.winner] + s.roll * s.stake);
        log.tell(Seats::everyone(), scored, s.winner, s.score[s.winner]);
        finish_round(sc, s);
        break;
      default: break;
    }
  }

  static Result result(const Scenario& sc, const State& s) {
    Result result;
    if (s.phase != Phase::over) return result;
    result.over = true;
    std::uint8_t best = 0;
    int leaders = 0;
    for (std::size_t seat = 0; seat < size(sc); ++seat) best = std::max(best, s.score[seat]);
    for (std::size_t seat = 0; seat < size(sc); ++seat) leaders += s.score[seat] == best;
    for (std::size_t seat = 0; seat < size(sc); ++seat) {
      result.score[seat] = static_cast<std::int8_t>(s.score[seat] < best ? -1 : leaders == 1 ? 1 : 0);
    }
    result.reason = best >= sc.goal ? 1 : 0;
    return result;
  }

  static Knowledge observe(const Scenario& sc, const State& s, Seat viewer) {
    Knowledge k;
    k.viewer = static_cast<std::uint8_t>(viewer);
    const bool seated = static_cast<std::size_t>(index(viewer)) < size(sc);
    k.known_hands = seated ? static_cast<std::uint8_t>(s.seen[at(viewer)] | 1u << index(viewer)) : std::uint8_t{0};
    k.unseen = s.deck;
    for (std::size_t seat = 0; seat < size(sc); ++seat) {
      k.hand_count[seat] = static_cast<std::uint8_t>(std::popcount(s.hand[seat]));
      if (has(unsigned{k.known_hands}, static_cast<int>(seat))) {
        k.hand[seat] = s.hand[seat];
      } else {
        k.unseen = static_cast<std::uint16_t>(k.unseen | s.hand[seat]);
      }
      const bool open = flaw == Flaw::leaky_knowledge || s.bid[seat] < 0 || Seat(seat) == viewer;
      k.bid[seat] = open ? s.bid[seat] : std::int8_t{-2};
    }
    k.discard = s.discard;
    k.shown = s.shown;
    k.seen = s.seen;
    k.tokens = s.tokens;
    k.score = s.score;
    k.phase = s.phase;
    k.leader = s.leader;
    k.winner = s.winner;
    k.stake = s.stake;
    k.roll = s.roll;
    return k;
  }

  static State imagine(const Scenario& sc, const Knowledge& k, Chance& chance) {
    State s;
    s.deck = k.unseen;
    if (flaw == Flaw::leaky_knowledge) {
      for (const int card : k.bid) {
        if (card >= 0) s.deck = static_cast<std::uint16_t>(s.deck & ~bit<std::uint16_t>(card));
      }
    }
    for (std::size_t seat = 0; seat < size(sc); ++seat) {
      s.hand[seat] = k.hand[seat];
      if (flaw == Flaw::leaky_knowledge && k.bid[seat] >= 0)
        s.hand[seat] = static_cast<std::uint16_t>(s.hand[seat] | bit<std::uint16_t>(k.bid[seat]));
      while (std::popcount(s.hand[seat]) < k.hand_count[seat]) {
        const int card = pick_member(s.deck, chance);
        s.deck = static_cast<std::uint16_t>(s.deck & ~bit<std::uint16_t>(card));
        s.hand[seat] = static_cast<std::uint16_t>(s.hand[seat] | bit<std::uint16_t>(card));
      }
      s.bid[seat] = k.bid[seat] == -2 ? static_cast<std::int8_t>(pick_member(s.hand[seat], chance)) : k.bid[seat];
    }
    s.discard = k.discard;
    s.shown = k.shown;
    s.seen = k.seen;
    if (flaw != Flaw::forgetful_imagine) s.tokens = k.tokens;
    s.score = k.score;
    s.phase = k.phase;
    s.leader = k.leader;
    s.winner = k.winner;
    s.stake = k.stake;
    s.roll = k.roll;
    return s;
  }

  static std::span<const Phrase> verbs() { return bluff::verbs; }
  static std::span<const Phrase> events() { return bluff::events; }
  static std::span<const std::string_view> refusals() { return bluff::refusals; }
  static std::span<const std::string_view> reasons() { return bluff::reasons; }

  static std::string spell(const Scenario& sc, Kind kind, int value) {
    if (kind == seat_kind) return seats(sc)[static_cast<std::size_t>(value)];
    return "card-" + std::to_string(value + 1);
  }
  static std::optional<int> read(const Scenario& sc, Kind kind, std::string_view word) {
    const int count = kind == seat_kind ? sc.players : card_count;
    for (int value = 0; value < count; ++value) {
      if (spell(sc, kind, value) == word) return value;
    }
    return std::nullopt;
  }
  static Label label(const Scenario& sc, Kind kind, int value) {
    if (kind == seat_kind) return {"seat." + spell(sc, kind, value), 0};
    return {"card.name", value + 1};
  }
  static std::map<std::string, std::string> own_texts(const Scenario& sc, std::string_view locale) {
    if (sc.players == 3 && locale == "en") return {{"seat.west", "The Westerner"}};
    return {};
  }

  static Json save(const Scenario& sc, const State& s) {
    Json json;
    json["phase"] = phase_names()[static_cast<std::size_t>(s.phase)];
    json["leader"] = seats(sc)[s.leader];
    json["winner"] = seats(sc)[s.winner];
    json["stake"] = s.stake;
    json["roll"] = s.roll;
    json["deck"] = cards(s.deck);
    json["discard"] = cards(s.discard);
    for (std::size_t seat = 0; seat < size(sc); ++seat) {
      json["seats"][seats(sc)[seat]] = {{"hand", cards(s.hand[seat])}, {"bid", s.bid[seat]},       {"shown", s.shown[seat]},
                                        {"seen", s.seen[seat]},        {"tokens", s.tokens[seat]}, {"score", s.score[seat]}};
    }
    return json;
  }

  static Expected<State> restore(const Scenario& sc, const Json& json) {
    State s;
    bool fits = json.is_object();
    const auto number = [&](const Json& from, const char* key, int least, int most) {
      const auto found = from.is_object() ? from.find(key) : from.end();
      if (found == from.end() || !found->is_number_integer()) return fits = false, least;
      const auto value = found->get<std::int64_t>();
      if (value < least || value > most) return fits = false, least;
      return static_cast<int>(value);
    };
    const auto name = [&](const char* key, const auto& names) {
      const auto found = json.is_object() ? json.find(key) : json.end();
      if (found != json.end() && found->is_string()) {
        for (std::size_t i = 0; i < names.size(); ++i) {
          if (names[i] == found->get_ref<const std::string&>()) return static_cast<std::uint8_t>(i);
        }
      }
      fits = false;
      return std::uint8_t{0};
    };
    std::uint16_t all_cards = 0;
    const auto card_set = [&](const Json& from, const char* key) {
      std::uint16_t set = 0;
      const auto found = from.is_object() ? from.find(key) : from.end();
      if (found == from.end() || !found->is_array()) return fits = false, set;
      for (const auto& item : *found) {
        const auto card = item.is_string() ? read(sc, card_kind, item.get_ref<const std::string&>()) : std::nullopt;
        if (!card || has(all_cards, *card)) return fits = false, set;
        all_cards = static_cast<std::uint16_t>(all_cards | bit<std::uint16_t>(*card));
        set = static_cast<std::uint16_t>(set | bit<std::uint16_t>(*card));
      }
      return set;
    };
    s.phase = static_cast<Phase>(name("phase", phase_names()));
    s.leader = name("leader", seats(sc));
    s.winner = name("winner", seats(sc));
    s.stake = flaw == Flaw::forgetful_save ? std::uint8_t{1} : static_cast<std::uint8_t>(number(json, "stake", 1, 20));
    s.roll = static_cast<std::uint8_t>(number(json, "roll", 0, 6));
    s.deck = card_set(json, "deck");
    s.discard = card_set(json, "discard");
    const auto places = json.is_object() ? json.find("seats") : json.end();
    for (std::size_t seat = 0; seat < size(sc); ++seat) {
      const auto own = places != json.end() && places->is_object() ? places->find(seats(sc)[seat]) : json.end();
      if (places == json.end() || !places->is_object() || own == places->end()) return problem("", "a seat is missing in the position.");
      s.hand[seat] = card_set(*own, "hand");
      s.bid[seat] = static_cast<std::int8_t>(number(*own, "bid", -1, card_count - 1));
      s.shown[seat] = static_cast<std::int8_t>(number(*own, "shown", -1, card_count - 1));
      s.seen[seat] = static_cast<std::uint8_t>(number(*own, "seen", 0, 7));
      s.tokens[seat] = static_cast<std::uint8_t>(number(*own, "tokens", 0, 9));
      s.score[seat] = static_cast<std::uint8_t>(number(*own, "score", 0, 120));
      fits = fits && (s.bid[seat] < 0 || has(s.hand[seat], s.bid[seat]));
      fits = fits && (s.hand[seat] != 0 || s.phase == Phase::over || s.phase == Phase::react);
    }
    for (std::size_t seat = 1; seat < size(sc); ++seat) fits = fits && std::popcount(s.hand[seat]) == std::popcount(s.hand[0]);
    fits = fits && (s.phase != Phase::bid || !choosing(sc, s).empty());
    if (!fits) return problem("", "the position is not one of this game.");
    return s;
  }

  static Json sheet(const Scenario& sc) {
    Json json = Json::object();
    for (const std::string& name : seats(sc)) json["seats"].push_back({{"id", name}, {"team", name}});
    return json;
  }

  static void view(const Scenario& sc, const Knowledge& k, JsonText& out) {
    out.object([&] {
      out.add("phase", phase_names()[static_cast<std::size_t>(k.phase)]);
      out.add("leader", seats(sc)[k.leader]);
      out.add("stake", k.stake);
      out.add("roll", k.roll);
      out.add("discard", cards(k.discard));
      out.object("seats", [&] {
        for (std::size_t seat = 0; seat < size(sc); ++seat) {
          out.object(seats(sc)[seat], [&] {
            out.add("cards", k.hand_count[seat]);
            out.add("bid", k.bid[seat]);
            out.add("shown", k.shown[seat]);
            out.add("tokens", k.tokens[seat]);
            out.add("score", k.score[seat]);
            if (has(unsigned{k.known_hands}, static_cast<int>(seat))) out.add("hand", cards(k.hand[seat]));
          });
        }
      });
    });
  }

  // The number of cards.
  static std::uint64_t conserved(const Scenario& sc, const State& s) {
    int count = std::popcount(s.deck) + std::popcount(s.discard);
    for (std::size_t seat = 0; seat < size(sc); ++seat) count += std::popcount(s.hand[seat]);
    return static_cast<std::uint64_t>(count);
  }

 private:
  static std::size_t size(const Scenario& sc) { return static_cast<std::size_t>(sc.players); }
  static std::size_t at(Seat seat) { return static_cast<std::size_t>(index(seat)); }
  static std::uint8_t next_seat(const Scenario& sc, std::uint8_t seat) { return static_cast<std::uint8_t>((seat + 1) % sc.players); }
  static const std::array<std::string_view, 4>& phase_names() {
    static constexpr std::array<std::string_view, 4> names = {"prepare", "bid", "react", "over"};
    return names;
  }
  static Json cards(std::uint16_t set) {
    Json all = Json::array();
    for (const int card : each(set)) all.push_back("card-" + std::to_string(card + 1));
    return all;
  }

  static Refusal plain_why_not(const Scenario& sc, const State& s, Seat seat, Action action) {
    if (index(seat) >= sc.players || !choosing(sc, s).has(seat)) return Refusal::not_your_choice;
    if (action.verb > accept) return Refusal::no_such_action;
    const bool uses_a = action.verb == raise_by || action.verb == peek || action.verb == Verb::bid;
    if (action.b != 0 || action.c != 0 || (!uses_a && action.a != 0)) return Refusal::no_such_action;
    const Phase phase = action.verb <= done ? Phase::prepare : action.verb == Verb::bid ? Phase::bid : Phase::react;
    if (phase != s.phase) return Refusal::wrong_phase;
    switch (action.verb) {
      case raise_one: return s.stake + 1 > sc.most_stake ? Refusal::stake_too_high : Refusal::none;
      case raise_by:
        if (action.a < 2 || action.a > 3) return Refusal::no_such_action;
        return s.stake + action.a > sc.most_stake ? Refusal::stake_too_high : Refusal::none;
      case peek: {
        const bool possible = action.a < sc.players && action.a != index(seat) && !has(unsigned{s.seen[at(seat)]}, action.a);
        return possible ? Refusal::none : Refusal::cannot_peek;
      }
      case Verb::bid: return action.a < card_count && has(s.hand[at(seat)], action.a) ? Refusal::none : Refusal::not_in_hand;
      case cancel: return s.tokens[at(seat)] > 0 ? Refusal::none : Refusal::no_token;
      default: return Refusal::none;
    }
  }

  static void show_bids(const Scenario& sc, State& s, Seat last, Chance& chance, Events& log) {
    std::size_t best = 0;
    for (std::size_t seat = 1; seat < size(sc); ++seat) {
      if (s.bid[seat] > s.bid[best]) best = seat;
    }
    for (std::size_t seat = 0; seat < size(sc); ++seat) {
      log.tell(Seats::everyone(), bids_shown, seat, s.bid[seat]);
      const auto card = bit<std::uint16_t>(s.bid[seat]);
      s.hand[seat] = static_cast<std::uint16_t>(s.hand[seat] & ~card);
      if (flaw != Flaw::lost_card || s.bid[seat] != 5) s.discard = static_cast<std::uint16_t>(s.discard | card);
      s.shown[seat] = s.bid[seat];
      s.bid[seat] = -1;
    }
    s.winner = static_cast<std::uint8_t>(flaw == Flaw::ordered_bids ? at(last) : best);
    s.roll = static_cast<std::uint8_t>(chance.die());
    if (flaw == Flaw::hidden_dice) {
      static int hidden = 0;
      s.roll = static_cast<std::uint8_t>(++hidden % 6 + 1);
    }
    log.tell(Seats::everyone(), rolled, s.winner, s.roll);
    s.phase = Phase::react;
  }

  static void finish_round(const Scenario& sc, State& s) {
    s.stake = 1;
    s.leader = next_seat(sc, s.leader);
    s.phase = s.hand[0] == 0 || s.score[s.winner] >= sc.goal ? Phase::over : Phase::prepare;
    if (flaw == Flaw::endless) {
      s.score = {};
      if (s.phase == Phase::over) s.phase = Phase::react;
    }
  }
};

static_assert(Game<Bluff>);

inline const ScenarioFile two_seats{"two.toml", "players = 2\n"};
inline const ScenarioFile three_seats{"three.toml", "players = 3\n"};

}  // namespace baton::bluff
