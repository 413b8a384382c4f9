// baton play: a match in the terminal.
#include "app/play.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/display.h"
#include "app/sitting.h"
#include "core/utf8.h"
#include "match/json_reader.h"
#include "table/thinkers.h"

namespace baton::app {
namespace {

// A record is handed around: it does not tell which commands somebody runs.
std::string name_in_record(const std::string& kind) { return kind.starts_with("exec:") ? "exec" : kind; }

// Where nobody is named: a person, if none sits elsewhere, and computer players as the browser offers them first.
void fill_seats(std::vector<std::string>& players) {
  const auto free = std::find(players.begin(), players.end(), "");
  const bool person = std::find(players.begin(), players.end(), "human") != players.end();
  if (free != players.end() && !person) *free = "human";
  std::replace(players.begin(), players.end(), std::string{}, table::standard_level());
}

struct Prepared {
  std::unique_ptr<Match> match;
  std::vector<std::string> players;
  std::string resumed;  // the file
};

Expected<Prepared> resumed_match(const PlayRequest& request) {
  const auto record = record_from(request.resume);
  if (!record) return tl::make_unexpected(record.error());
  if (!request.choice.game.empty() && request.choice.game != record->header.game) {
    return problem(request.resume, "this is a match of " + presentable(record->header.game, 60) + ".");
  }
  auto match = load_match(*record);
  if (!match) return problem(request.resume, match.error().text());
  if ((*match)->choosing().empty()) return problem(request.resume, "this match is over; \"baton replay\" shows it.");
  std::vector<std::string> players;
  for (const std::string& seat : (*match)->seats()) {
    const auto& sat = record->header.players;
    const auto found = std::find_if(sat.begin(), sat.end(), [&](const auto& player) { return player.first == seat; });
    // A record may come from a stranger: it must not start a program on this machine.
    const bool known = found != sat.end() && (found->second == "human" || allowed_kind(found->second, Sitters::minds));
    players.push_back(known ? found->second : "");
  }
  if (auto assigned = assign_seats(request.seats, (*match)->seats(), Sitters::everyone, players); !assigned)
    return tl::make_unexpected(assigned.error());
  fill_seats(players);
  return Prepared{std::move(*match), std::move(players), request.resume};
}

Expected<Json> position_from(const std::string& path) {
  const auto text = read_text_file(path, largest_scenario);
  if (!text) return tl::make_unexpected(text.error());
  return read_json(*text, path);
}

// `announce` is called when everything fits and the first die has not fallen yet.
Expected<Prepared> new_match(const PlayRequest& request, const ChanceStart& chance, const std::function<void()>& announce) {
  const auto chosen = chosen_game(request.choice);
  if (!chosen) return tl::make_unexpected(chosen.error());
  std::vector<std::string> players(chosen->seats.size());
  if (auto assigned = assign_seats(request.seats, chosen->seats, Sitters::everyone, players); !assigned)
    return tl::make_unexpected(assigned.error());
  fill_seats(players);
  MatchSetup setup{chosen->scenario, chosen->options, {}, chance, std::nullopt};
  for (std::size_t i = 0; i < players.size(); ++i) setup.players.emplace_back(chosen->seats[i], name_in_record(players[i]));
  if (!request.position.empty()) {
    auto position = position_from(request.position);
    if (!position) return tl::make_unexpected(position.error());
    setup.position = std::move(*position);
  }
  announce();
  auto match = create_match(chosen->game, setup);
  if (!match) return tl::make_unexpected(request.position.empty() ? match.error() : Problem{request.position, match.error().text()});
  return Prepared{std::move(*match), std::move(players), {}};
}

}  // namespace

std::vector<std::string> known_locales() {
  std::vector<std::string> all = {"en"};
  for (const EmbeddedFile& file : embedded_files()) {
    const std::string id = scenario_id(file.path);
    if (file.path.starts_with("app/text/") && id != "en") all.push_back(id);
  }
  return all;
}

std::string locale_of(std::string_view language) {
  const std::string wanted(language.substr(0, language.find_first_of("_.@-")));
  const auto all = known_locales();
  return std::find(all.begin(), all.end(), wanted) != all.end() ? wanted : "en";
}

int play(const PlayRequest& request, Terminal& terminal) {
  SittingSetup setup;
  setup.locale = request.locale.empty() ? locale_of(terminal.language) : request.locale;
  setup.plain = request.plain;
  setup.player_seed = request.seed.value_or(fresh_seed().seed);

  const ProofSecret secret = ProofSecret::fresh();
  const ChanceStart chance = request.seed ? ChanceStart{Seeded{*request.seed}} : ChanceStart{Proven{secret, ""}};
  const Catalogue texts = house_catalogue("", setup.locale);
  const auto announce = [&] {
    if (request.seed) return;
    for (const std::string& line :
         wrapped(texts.say("play.dice-commitment", {{"commitment", secret.commitment()}}), setup.plain ? 1000 : terminal.size().columns)) {
      terminal.line(line);
    }
  };
  auto prepared = request.resume.empty() ? new_match(request, chance, announce) : resumed_match(request);
  if (!prepared) return refuse(terminal, prepared.error());
  if (request.resume.empty()) tell_warnings(*chosen_game(request.choice), terminal);
  if (!prepared->resumed.empty()) terminal.line(texts.say("play.resumed", {{"file", prepared->resumed}}));
  if (!prepared->match->dice_are_open() && !prepared->match->choosing().empty()) {
    announce();
    prepared->match->open_dice(chance);
  }
  const bool person = std::find(prepared->players.begin(), prepared->players.end(), "human") != prepared->players.end();
  if (person && terminal.cursor && !setup.plain && (!prepared->resumed.empty() || !request.seed))
    terminal.ask(texts.say("play.press-enter") + " ");

  setup.match = std::move(prepared->match);
  setup.players = std::move(prepared->players);
  Sitting(std::move(setup), terminal).run();
  return exit_done;
}

int run_play(const Words& words, Terminal& terminal) {
  CLI::App command("Play in the terminal. \"help\" at the prompt lists what can be typed.", "baton play");
  PlayRequest request;
  std::string seed_text;
  add_game_choice(command, request.choice);
  command.get_option("game")->required(false);
  add_repeatable(command, "--seat", request.seats,
                 "SEAT=KIND: a seat's number or name, and human, random, greedy, recruit, sergeant, captain, general or exec:COMMAND. "
                 "Of the seats that are not given the first is human, unless one that is given is, and the others are " +
                     table::standard_level());
  auto* seed = command.add_option("--seed", seed_text, "dice from this number instead of dice with a proof");
  auto* locale = command.add_option("--locale", request.locale, "en, de or ja; the environment's unless given");
  command.add_option("--resume", request.resume, "go on with a saved match");
  command.add_option("--position", request.position, "start from a saved position");
  command.add_flag("--plain", request.plain, "sentences only: for screen readers and pipes");
  if (const auto code = parse(command, words, terminal)) return *code;

  if (words.empty() && terminal.in_is_screen && terminal.out_is_screen) return run_menu(terminal);
  if (request.choice.game.empty() && request.resume.empty()) return refuse(terminal, "which game? Known are " + joined(game_ids()));
  if (!request.resume.empty() &&
      (!request.position.empty() || seed->count() > 0 || !request.choice.options.empty() || !request.choice.scenario.empty())) {
    return refuse(terminal,
                  "--resume goes on with the match as it was set up, so --scenario, --option, --position and --seed do not go with it");
  }
  if (seed->count() > 0) {
    const auto number = whole_number("--seed", seed_text, 0, UINT64_MAX);
    if (!number) return refuse(terminal, number.error());
    request.seed = *number;
  }
  const auto locales = known_locales();
  if (locale->count() > 0 && std::find(locales.begin(), locales.end(), request.locale) == locales.end()) {
    return refuse(terminal, "--locale can be " + joined(locales) + ", not " + in_quotes(request.locale));
  }
  return play(request, terminal);
}

}  // namespace baton::app
