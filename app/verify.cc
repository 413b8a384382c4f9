// baton verify: recomputes every die of a record and checks every action.
#include "app/arguments.h"
#include "app/commands.h"

namespace baton::app {

int run_verify(const Words& words, Terminal& terminal) {
  CLI::App command("Recomputes every die of a record from its seed or revealed secret, and checks that every action was legal.",
                   "baton verify");
  std::string path;
  command.add_option("record", path, "a record file")->required();
  if (const auto code = parse(command, words, terminal)) return *code;

  const auto record = record_from(path);
  if (!record) return refuse(terminal, record.error());
  if (!with_game(record->header.game, [](auto) {})) return refuse(terminal, Problem{path, unknown_game(record->header.game).what});
  const auto checked = verify(*record);
  if (!checked) {
    terminal.print("{} does not verify: {}\n", path, checked.error().text());
    return exit_no;
  }
  const auto match = load_match(*record);
  if (!match) {
    terminal.print("{} does not verify: {}\n", path, match.error().text());
    return exit_no;
  }
  if (checked->unrevealed > 0) {
    terminal.print("{} cannot be verified yet: the secret behind {} of its {} runs of dice is not shown.\n", path, checked->unrevealed,
                   checked->segments + checked->unrevealed);
    return exit_no;
  }
  terminal.print("{} verifies: {} actions were legal, {} dice and draws came out as recorded, {}.\n", path, (*match)->steps(),
                 checked->draws, (*match)->choosing().empty() ? "and the result is right" : "and the game is still going on");
  return exit_done;
}

}  // namespace baton::app
