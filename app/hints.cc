#include "app/hints.h"

#include <fmt/format.h>

#include "bots/player.h"

namespace baton::app {

std::vector<std::string> hints(const Match& match, Seat seat, const Catalogue& texts, const HintRequest& request) {
  PlayerKind kind = *read_player_kind("captain");
  kind.by_time.time = request.time;
  kind.by_time.iterations = 0;  // all the time that was given
  kind.by_time.threads = request.threads;
  kind.by_time.all_at_once = true;
  const auto adviser = make_player(match.header().game, kind, Counting::time, request.seed);
  if (!adviser || !adviser->choose(match, seat)) return {};
  const Thoughts thoughts = adviser->thoughts();
  if (thoughts.actions.empty()) return {texts.say("play.hint-only-choice", {{"action", match.say(match.actions(seat).front(), texts)}})};
  std::int64_t tried = 0;
  for (const Considered& one : thoughts.actions) tried += one.visits;
  std::vector<std::string> lines;
  for (const Considered& one : thoughts.actions) {
    if (lines.size() >= request.actions || one.visits == 0) break;
    std::string line = texts.say("play.hint-action", {{"action", match.say(one.action, texts)},
                                                      {"chance", fmt::format("{:.0f}", 100 * one.win_chance)},
                                                      {"share", fmt::format("{:.0f}", 100.0 * static_cast<double>(one.visits) / static_cast<double>(tried))},
                                                      {"visits", one.visits}});
    std::string then;
    for (std::size_t i = 0; i < one.line.size() && i < 4; ++i) then += (then.empty() ? "" : " → ") + match.say(one.line[i], texts);
    if (!then.empty()) line += " " + texts.say("play.hint-line", {{"line", then}});
    lines.push_back(line);
  }
  lines.push_back(texts.say("play.hint-effort", {{"iterations", thoughts.iterations}, {"seconds", fmt::format("{:.1f}", thoughts.seconds)}}));
  return lines;
}

}  // namespace baton::app
