// baton board: checks, makes and draws boards of Company Leader.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/arguments.h"
#include "app/commands.h"
#include "app/tables/hex_drawing.h"
#include "core/utf8.h"
#include "games/company_leader/board_check.h"
#include "games/company_leader/board_draw.h"
#include "games/company_leader/board_make.h"

namespace baton::app {
namespace {

namespace cl = company_leader;

// A file, or the id of a scenario that comes with the game.
Expected<cl::Scenario> board_from(const std::string& file) {
  const auto ids = scenario_ids(cl::Game::id);
  Expected<ScenarioFile> found = problem("", "");
  if (std::find(ids.begin(), ids.end(), file) != ids.end()) {
    found = shipped_scenario(cl::Game::id, file);
  } else {
    auto text = read_text_file(file, largest_scenario);
    if (!text) return tl::make_unexpected(text.error());
    found = ScenarioFile{file, std::move(*text)};
  }
  if (!found) return tl::make_unexpected(found.error());
  return cl::load(*found, {});
}

int check_file(const Words& words, Terminal& terminal) {
  CLI::App command("Checks a board against the rulebook's guidelines. What breaks the game is refused, the rest are warnings.",
                   "baton board check");
  std::string file;
  bool as_json = false;
  command.add_option("file", file, "a scenario file of Company Leader, or the id of one that comes with it")->required();
  command.add_flag("--json", as_json, "print one JSON object");
  if (const auto code = parse(command, words, terminal)) return *code;
  const auto scenario = board_from(file);
  if (!scenario) return refuse(terminal, scenario.error());

  const auto findings = cl::check_board(*scenario);
  const auto refused = std::count_if(findings.begin(), findings.end(), [](const cl::BoardFinding& f) { return f.refused; });
  if (as_json) {
    nlohmann::ordered_json json = {
        {"file", file}, {"fields", scenario->board.fields}, {"accepted", refused == 0}, {"findings", nlohmann::ordered_json::array()}};
    for (const cl::BoardFinding& finding : findings) {
      json["findings"].push_back({{"refused", finding.refused}, {"field", finding.field}, {"what", finding.what}});
    }
    terminal.line(json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  } else {
    for (const cl::BoardFinding& finding : findings) terminal.print("{}  {}\n", finding.refused ? "refused" : "warning", finding.what);
    if (findings.empty()) {
      terminal.print("{}: the board of {} fields meets all guidelines.\n", file, scenario->board.fields);
    } else if (refused == 0) {
      terminal.print("{}: the board of {} fields can be played; {} to think about.\n", file, scenario->board.fields,
                     findings.size() == 1 ? "one warning" : fmt::format("{} warnings", findings.size()));
    } else {
      terminal.print("{}: {} to mend before the board keeps the guidelines.\n", file,
                     refused == 1 ? "one thing" : fmt::format("{} things", refused));
    }
  }
  return refused == 0 ? exit_done : exit_no;
}

int make_new(const Words& words, Terminal& terminal) {
  CLI::App command("Makes a board that meets all guidelines and prints it as a scenario file.", "baton board new");
  std::string size_text, players_text, seed_text = "1";
  command.add_option("--size", size_text, "the largest number of fields; the board is the largest hexagon within")->required();
  command.add_option("--players", players_text, "2, 3, or 4 in two teams")->required();
  command.add_option("--seed", seed_text, "the same number gives the same board; 1 unless given");
  if (const auto code = parse(command, words, terminal)) return *code;
  const auto size = whole_number("--size", size_text, 1, 1000);
  if (!size) return refuse(terminal, size.error());
  const auto players = whole_number("--players", players_text, 2, 4);
  if (!players) return refuse(terminal, players.error());
  const auto seed = whole_number("--seed", seed_text, 0, UINT64_MAX);
  if (!seed) return refuse(terminal, seed.error());
  const auto made = cl::make_board(static_cast<int>(*size), static_cast<int>(*players), *seed);
  if (!made) return refuse(terminal, made.error());
  if (const auto fields = cl::fields_within(static_cast<int>(*size)); fields != static_cast<int>(*size)) {
    terminal.err << fmt::format("The board has {} fields: the largest hexagon within {}.\n", fields, *size);
  }
  terminal.out << *made;
  return exit_done;
}

int draw_file(const Words& words, Terminal& terminal) {
  CLI::App command("Draws a board: in characters, or as SVG.", "baton board draw");
  std::string file;
  bool svg = false;
  command.add_option("file", file, "a scenario file of Company Leader, or the id of one that comes with it")->required();
  command.add_flag("--svg", svg, "as SVG");
  if (const auto code = parse(command, words, terminal)) return *code;
  const auto scenario = board_from(file);
  if (!scenario) return refuse(terminal, scenario.error());
  if (svg) {
    terminal.out << cl::draw_svg(*scenario);
    return exit_done;
  }
  const cl::Board& board = scenario->board;
  const auto letters = seat_letters(*scenario);
  const int inside = columns_inside(board);
  const auto drawing = draw_hexes(
      board, [&](int f) { return fitted(field_title(board, f), inside); },
      [&](int f) {
        const int owner = board.owner[cl::at(f)];
        return fitted(owner < 0 ? "" : " " + letters[cl::at(owner)], inside);
      });
  for (const std::string& line : drawing) terminal.line(line);
  std::string seats;
  for (int seat = 0; seat < scenario->seat_count(); ++seat)
    seats += ", " + letters[cl::at(seat)] + " territory of " + scenario->seats[cl::at(seat)].id;
  const std::string legend = fmt::format("{} forest, {} urban, {} purchase field{}{}", terrain_signs[1], terrain_signs[2], purchase_sign,
                                         board.exits.empty() ? "" : fmt::format(", {} exit", exit_sign), seats);
  for (const std::string& line : wrapped(legend, 80)) terminal.line(line);
  return exit_done;
}

}  // namespace

int run_board(const Words& words, Terminal& terminal) {
  const std::string what = words.empty() ? std::string{} : words[0];
  const Words rest(words.empty() ? words.end() : words.begin() + 1, words.end());
  if (what == "check") return check_file(rest, terminal);
  if (what == "new") return make_new(rest, terminal);
  if (what == "draw") return draw_file(rest, terminal);
  if (what == "--help" || what == "-h") {
    terminal.line("Boards of Company Leader.\n");
    terminal.line("  baton board check FILE                            the rulebook's guidelines, and which field breaks them");
    terminal.line("  baton board new --size N --players P [--seed S]   a board that meets them all, as a scenario file");
    terminal.line("  baton board draw FILE [--svg]                     a picture of the board");
    return exit_done;
  }
  return refuse(terminal, what.empty() ? "\"baton board\" needs check, new or draw; \"baton board --help\" tells more"
                                       : "\"baton board\" knows check, new and draw, not " + in_quotes(what));
}

}  // namespace baton::app
