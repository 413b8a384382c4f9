// baton case: runs rulebook cases.
#include "app/arguments.h"
#include "app/commands.h"

namespace baton::app {
namespace {

// What cannot be run at all, apart from what runs and fails.
Expected<void> runnable(const std::string& path, const std::string& text) {
  const auto read = read_case(path, text);
  if (!read) return tl::make_unexpected(read.error());
  Expected<void> fits = problem(path, unknown_game(read->game).what);
  with_game(read->game, [&]<class Tag>(Tag) {
    const auto file = shipped_scenario(read->game, read->scenario.empty() ? standard_scenario(read->game) : read->scenario);
    if (!file) {
      fits = problem(path, file.error().what);
    } else if (const auto scenario = Tag::Type::load(*file, read->options); !scenario) {
      fits = problem(path, scenario.error().text());
    } else if (const auto position = case_position<typename Tag::Type>(*read, *scenario); !position) {
      fits = tl::make_unexpected(position.error());
    } else {
      fits = {};
    }
  });
  return fits;
}

}  // namespace

int run_case(const Words& words, Terminal& terminal) {
  CLI::App command("Runs rulebook cases: positions, dice, actions, and what must be true after.", "baton case");
  std::vector<std::string> paths;
  command.add_option("files", paths, "case files")->required();
  if (const auto code = parse(command, words, terminal)) return *code;

  int failed = 0, unreadable = 0;
  for (const std::string& path : paths) {
    const auto text = read_text_file(path, largest_scenario);
    const auto fits = text ? runnable(path, *text) : tl::make_unexpected(text.error());
    if (!fits) {
      terminal.print("unread  {}\n", path);
      if (unreadable++ == 0) refuse(terminal, fits.error());
      continue;
    }
    const auto report = baton::run_case(path, *text);
    if (report) {
      terminal.print("ok      {}: {}\n", path, report->title);
    } else {
      terminal.print("failed  {}\n", report.error().text());
      ++failed;
    }
  }
  if (paths.size() > 1)
    terminal.print("{} of {} cases hold.\n", paths.size() - static_cast<std::size_t>(failed + unreadable), paths.size());
  return unreadable > 0 ? exit_wrong : failed > 0 ? exit_no : exit_done;
}

}  // namespace baton::app
