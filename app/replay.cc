// baton replay: a recorded match at any point, through anyone's eyes.
#include <nlohmann/json.hpp>

#include "app/arguments.h"
#include "app/commands.h"
#include "app/play.h"
#include "app/table_picture.h"
#include "core/utf8.h"

namespace baton::app {
namespace {

constexpr std::string_view host = "host";

Json replay_json(const Match& match, std::size_t all_steps, const std::string& as, Seat viewer) {
  const RecordHeader& header = match.header();
  Json json = {{"game", header.game},       {"scenario", header.scenario.id},
               {"options", header.options}, {"steps", all_steps},
               {"to", match.steps()},       {"as", as}};
  for (const auto& [seat, player] : header.players) json["players"][seat] = player;
  if (as == host) {
    json["position"] = match.save_position();
    for (std::size_t i = 0; i < match.seats().size(); ++i) {
      json["views"][match.seats()[i]] = match.view(Seat(i));
      json["events"][match.seats()[i]] = match.events(Seat(i));
    }
  } else {
    json["view"] = match.view(viewer);
    json["events"] = match.events(viewer);
  }
  return json;
}

void show(Terminal& terminal, const Match& match, Seat viewer, const Catalogue& texts, bool plain) {
  for (const std::string& line : match.log(viewer, texts)) terminal.line(line);
  terminal.line();
  const auto picture = picture_of(match);
  const Json state = match.view(viewer)["state"];
  for (const std::string& line :
       plain ? picture->tell(state, texts) : picture->draw(state, texts, terminal.size().columns, Paint(terminal.colour)))
    terminal.line(line);
}

}  // namespace

int run_replay(const Words& words, Terminal& terminal) {
  CLI::App command("Shows a recorded match at any point, as one of its seats, a spectator or the host sees it.", "baton replay");
  std::string path, to_text, as = "spectator", locale;
  bool as_json = false, plain = false;
  command.add_option("record", path, "a record file")->required();
  command.add_option("--to", to_text, "after how many steps; all unless given");
  command.add_option("--as", as, "a seat, spectator (unless given), or host, who sees everything");
  command.add_option("--locale", locale, "en, de or ja; the environment's unless given");
  command.add_flag("--plain", plain, "sentences only");
  command.add_flag("--json", as_json, "print one JSON object");
  if (const auto code = parse(command, words, terminal)) return *code;

  const auto record = record_from(path);
  if (!record) return refuse(terminal, record.error());
  const auto whole = load_match(*record);
  if (!whole) return refuse(terminal, Problem{path, whole.error().text()});
  const std::size_t all_steps = (*whole)->steps();
  std::size_t to = all_steps;
  if (!to_text.empty()) {
    const auto number = whole_number("--to", to_text, 0, all_steps);
    if (!number) return refuse(terminal, number.error());
    to = *number;
  }
  const auto viewer = as == host ? std::optional(spectator) : (*whole)->seat_named(as);
  if (!viewer) return refuse(terminal, "--as can be " + joined((*whole)->seats()) + ", spectator or host, not " + in_quotes(as));
  const auto match = (*whole)->branch(to, Seeded{});
  if (!match) return refuse(terminal, Problem{path, match.error().text()});

  if (as_json) {
    terminal.line(replay_json(**match, all_steps, as, *viewer).dump(2));
    return exit_done;
  }
  const Catalogue texts = (*match)->catalogue(embedded_files(), locale_of(locale.empty() ? terminal.language : locale));
  terminal.print("{} · {} · {} / {} · {}\n\n", texts.say("game.name"), (*match)->header().scenario.id, to, all_steps, as);
  if (as == host) {
    for (std::size_t i = 0; i < (*match)->seats().size(); ++i) {
      terminal.print("{}{}\n", i == 0 ? "" : "\n", texts.say("seat." + (*match)->seats()[i]));
      show(terminal, **match, Seat(i), texts, plain);
    }
  } else {
    show(terminal, **match, *viewer, texts, plain);
  }
  return exit_done;
}

}  // namespace baton::app
