#include "match/chances.h"

#include <charconv>

#include "core/utf8.h"

namespace baton {
namespace {

std::optional<std::uint32_t> number(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string asked_for(Draw kind, std::uint32_t bound) { return (kind == Draw::die ? "a die of " : "a pick of ") + std::to_string(bound); }

}  // namespace

std::string text_of(const Drawn& drawn) {
  const bool die = drawn.kind == Draw::die;
  return (die ? "d" : "p") + std::to_string(drawn.bound) + "=" + std::to_string(std::uint64_t{drawn.value} + (die ? 1 : 0));
}

Expected<Drawn> read_drawn(std::string_view text) {
  const auto wrong = [&] { return problem("", in_quotes(text, 40) + " is not a draw; expected one like \"d6=5\" or \"p57=12\"."); };
  const std::size_t equals = text.find('=');
  if (text.size() < 4 || (text[0] != 'd' && text[0] != 'p') || equals == std::string_view::npos) return wrong();
  const auto bound = number(text.substr(1, equals - 1));
  const auto value = number(text.substr(equals + 1));
  if (!bound || !value || *bound == 0) return wrong();
  const bool die = text[0] == 'd';
  if (die ? *value < 1 || *value > *bound : *value >= *bound) return wrong();
  return Drawn{die ? Draw::die : Draw::pick, *bound, die ? *value - 1 : *value};
}

std::uint32_t RecordingChance::draw(Draw kind, std::uint32_t bound) {
  const std::uint32_t value =
      kind == Draw::die ? static_cast<std::uint32_t>(source_.die(static_cast<int>(bound)) - 1) : source_.pick(bound);
  into_.push_back({kind, bound, value});
  return value;
}

std::uint32_t RecordedChance::draw(Draw kind, std::uint32_t bound) {
  if (problem_) return 0;
  if (next_ == draws_.size()) {
    problem_ = Problem{"", "the rules ask for " + asked_for(kind, bound) + " but no draw is left."};
    return 0;
  }
  const Drawn& drawn = draws_[next_++];
  if (drawn.kind == kind && drawn.bound == bound && drawn.value < bound) return drawn.value;
  problem_ = Problem{"", "the rules ask for " + asked_for(kind, bound) + " but the draw is \"" + text_of(drawn) + "\"."};
  return 0;
}

std::optional<Problem> RecordedChance::problem_at_end() const {
  if (problem_ || all_used()) return problem_;
  return Problem{"", "draws are left over from \"" + text_of(draws_[next_]) + "\" on; the rules asked for " + std::to_string(next_) +
                         " of " + std::to_string(draws_.size()) + "."};
}

std::uint32_t ScriptedChance::draw(Draw kind, std::uint32_t bound) {
  if (problem_) return 0;
  const bool die = kind == Draw::die;
  const std::vector<int>& script = die ? dice_ : picks_;
  std::size_t& next = die ? next_die_ : next_pick_;
  if (next == script.size()) {
    problem_ = Problem{"", "the rules ask for " + asked_for(kind, bound) + " but " + std::to_string(script.size()) +
                               (die ? " dice" : " picks") + " were all that is written."};
    return 0;
  }
  const std::int64_t value = std::int64_t{script[next++]} - (die ? 1 : 0);
  if (value >= 0 && value < bound) return static_cast<std::uint32_t>(value);
  problem_ = Problem{"", std::to_string(script[next - 1]) + " does not fit " + asked_for(kind, bound) + "."};
  return 0;
}

std::optional<Problem> ScriptedChance::problem_at_end() const {
  if (problem_) return problem_;
  if (next_die_ < dice_.size())
    return Problem{"", std::to_string(dice_.size() - next_die_) + " of " + std::to_string(dice_.size()) + " dice were not used."};
  if (next_pick_ < picks_.size())
    return Problem{"", std::to_string(picks_.size() - next_pick_) + " of " + std::to_string(picks_.size()) + " picks were not used."};
  return std::nullopt;
}

}  // namespace baton
