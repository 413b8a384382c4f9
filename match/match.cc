#include "match/match.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace baton {

std::string scenario_id(std::string_view file_name) {
  file_name.remove_prefix(std::min(file_name.find_last_of('/') + 1, file_name.size()));
  return std::string(file_name.substr(0, file_name.rfind('.')));
}

std::optional<Seat> Match::seat_named(std::string_view id) const {
  if (id == "spectator") return spectator;
  const auto found = std::find(seats_.begin(), seats_.end(), id);
  if (found == seats_.end()) return std::nullopt;
  return Seat(found - seats_.begin());
}

std::string Match::name_of(Seat seat) const {
  const auto i = static_cast<std::size_t>(index(seat));
  return i < seats_.size() ? seats_[i] : "spectator";
}

Expected<void> Match::act(Seat seat, Action action) {
  const Seats asked = choosing();
  if (asked.empty()) return problem("", "the game is over.");
  if (!asked.has(seat) && !reconsidering().has(seat)) return problem("", "it is not for " + name_of(seat) + " to choose now.");
  if (const std::string refusal = why_not(seat, action); !refusal.empty()) return problem("", "refused: " + refusal + ".");
  need_dice();
  std::vector<Drawn> draws;
  RecordingChance chance(dice_->chance(), draws);
  const std::size_t line = record_.lines.size();
  record_.lines.push_back(StepLine{name_of(seat), words(action), {}});
  apply(seat, action, chance);
  std::get<StepLine>(record_.lines[line]).draws = std::move(draws);
  finish_when_over();
  return {};
}

Expected<void> Match::act_words(Seat seat, std::string_view text) {
  const auto action = from_words(text);
  if (!action) return tl::make_unexpected(action.error());
  return act(seat, *action);
}

Expected<void> Match::act_json(Seat seat, const Json& text) {
  const auto action = from_json(text);
  if (!action) return tl::make_unexpected(action.error());
  return act(seat, *action);
}

Json Match::view(Seat viewer) const { return Json::parse(view_text(viewer)); }
Json Match::events(Seat viewer, std::size_t from) const { return Json::parse(events_text(viewer, from).text); }

std::optional<Action> Match::forced(Seat seat) const {
  if (!choosing().has(seat)) return std::nullopt;
  auto legal = actions(seat);
  std::erase_if(legal, [this](Action action) { return gives_up(action); });
  return legal.size() == 1 ? std::optional(legal.front()) : std::nullopt;
}

int Match::take_forced() {
  // A game whose choices are forced forever is broken; conformance says so, here we only must not hang.
  constexpr int enough = 100'000;
  int taken = 0;
  for (bool again = true; again && taken < enough;) {
    again = false;
    for (const Seat seat : choosing()) {
      const auto action = forced(seat);
      if (!action) continue;
      if (!act(seat, *action)) return taken;
      ++taken;
      again = true;
      break;
    }
  }
  return taken;
}

Expected<void> Match::undo(Seat seat) {
  const std::size_t count = undoable(seat);
  if (count == 0) return problem("", "there is nothing to take back: dice fell, a secret was learned, or another seat chose.");
  record_.lines.push_back(UndoLine{static_cast<std::uint32_t>(count)});
  take_back(count);
  return {};
}

std::optional<ChanceOpening> Match::dice_opening() const {
  if (!dice_) return std::nullopt;
  return dice_->opening();
}

std::optional<ProofSecret> Match::open_secret() const { return dice_ ? dice_->secret() : std::nullopt; }

// Closing only matters for a proof: a seed is known anyway, so its segment may go on after a save.
void Match::close_dice() {
  if (!dice_ || !dice_->secret()) return;
  record_.lines.push_back(RevealLine{dice_->secret()->hex()});
  dice_.reset();
}

void Match::open_dice(const ChanceStart& chance) {
  close_dice();
  dice_.emplace(chance);
  record_.lines.push_back(ChanceLine{dice_->opening()});
}

void Match::need_dice() {
  if (dice_) return;
  const auto last = std::find_if(record_.lines.rbegin(), record_.lines.rend(),
                                 [](const RecordLine& line) { return std::holds_alternative<ChanceLine>(line); });
  const bool seeded = last != record_.lines.rend() && std::holds_alternative<SeedOpening>(std::get<ChanceLine>(*last).opening);
  open_dice(seeded ? ChanceStart{fresh_seed()} : ChanceStart{Proven{ProofSecret::fresh(), ""}});
}

void Match::finish_when_over() {
  if (!choosing().empty()) return;
  close_dice();
  dice_.reset();
  record_.lines.push_back(result_line());
}

ResultLine Match::result_line() const {
  const Result ended = result();
  ResultLine line{reason(), {}};
  for (std::size_t i = 0; i < seats_.size(); ++i) line.scores.emplace_back(seats_[i], ended.score[i]);
  return line;
}

}  // namespace baton
