// Reads records that may come from anywhere. Each line is checked by itself, then its place among the others.
#include <charconv>

#include "core/utf8.h"
#include "match/json_reader.h"
#include "match/record.h"

namespace baton {
namespace {

constexpr std::size_t longest_word = 200;

// What a line holds, asked for key by key; the first thing that is wrong is kept.
class Line {
 public:
  Line(const Json& json, std::string where) : json_(json), where_(std::move(where)) {
    if (!json_.is_object()) wrong("a line must be an object.");
  }

  bool has(const char* key) const { return json_.is_object() && json_.contains(key); }

  std::string text(const char* key, std::size_t limit = longest_word) {
    const Json* value = need(key);
    if (value == nullptr || !value->is_string()) return wrong(in_quotes(key) + " must be a text."), std::string{};
    const auto& text = value->get_ref<const std::string&>();
    if (text.size() > limit) return wrong(in_quotes(key) + " is longer than " + std::to_string(limit) + " bytes."), std::string{};
    return text;
  }

  std::int64_t integer(const char* key, std::int64_t least, std::int64_t most) {
    const Json* value = need(key);
    const bool fits =
        value != nullptr && value->is_number_integer() && (!value->is_number_unsigned() || value->get<std::uint64_t>() <= INT64_MAX);
    const std::int64_t number = fits ? value->get<std::int64_t>() : least;
    if (!fits || number < least || number > most) {
      wrong(in_quotes(key) + " must be a whole number from " + std::to_string(least) + " to " + std::to_string(most) + ".");
      return least;
    }
    return number;
  }

  std::vector<Drawn> draws(const char* key) {
    std::vector<Drawn> all;
    const Json* value = need(key);
    if (value == nullptr || !value->is_array()) return wrong(in_quotes(key) + " must be a list of draws."), all;
    for (const Json& item : *value) {
      if (!item.is_string()) return wrong(in_quotes(key) + " must be a list of texts like \"d6=5\"."), all;
      const auto drawn = read_drawn(item.get_ref<const std::string&>());
      if (!drawn) return wrong(drawn.error().what), all;
      all.push_back(*drawn);
    }
    return all;
  }

  std::vector<std::pair<std::string, std::string>> texts(const char* key) {
    std::vector<std::pair<std::string, std::string>> all;
    const Json* value = need(key);
    if (value == nullptr || !value->is_object()) return wrong(in_quotes(key) + " must be an object of texts."), all;
    for (const auto& [name, item] : value->items()) {
      if (!item.is_string() || item.get_ref<const std::string&>().size() > longest_word || name.size() > longest_word) {
        return wrong(in_quotes(key) + " must hold short texts only."), all;
      }
      all.emplace_back(name, item.get_ref<const std::string&>());
    }
    return all;
  }

  Line inner(const char* key) {
    static const Json nothing = Json::object();
    const Json* value = need(key);
    if (value == nullptr || !value->is_object()) wrong(in_quotes(key) + " must be an object.");
    Line line(value != nullptr && value->is_object() ? *value : nothing, where_);
    return line;
  }
  void take(const Line& inner) {
    if (!problem_) problem_ = inner.problem_;
  }

  const Json& json(const char* key) const { return json_.at(key); }

  void only(std::initializer_list<std::string_view> known) {
    if (!json_.is_object()) return;
    for (const auto& [key, value] : json_.items()) {
      if (std::find(known.begin(), known.end(), key) == known.end()) wrong(in_quotes(key, 40) + " is not known here.");
    }
  }

  void wrong(std::string what) {
    if (!problem_) problem_ = Problem{where_, std::move(what)};
  }
  const std::optional<Problem>& problem() const { return problem_; }

 private:
  const Json* need(const char* key) {
    if (!json_.is_object()) return nullptr;
    const auto found = json_.find(key);
    return found == json_.end() ? nullptr : &*found;
  }

  const Json& json_;
  std::string where_;
  std::optional<Problem> problem_;
};

RecordHeader read_header(Line& line) {
  RecordHeader header;
  if (line.text("format") != record_format) line.wrong("this is not a record: \"format\" must be \"" + std::string(record_format) + "\".");
  if (line.integer("version", 0, 1'000'000) != record_version) {
    line.wrong("this program reads records of version " + std::to_string(record_version) + " only.");
  }
  line.only({"format", "version", "game", "scenario", "options", "players", "position"});
  header.game = line.text("game");
  Line scenario = line.inner("scenario");
  header.scenario.id = scenario.text("id");
  header.scenario.text = scenario.text("text", longest_header_line);
  scenario.only({"id", "text"});
  line.take(scenario);
  for (auto& [name, value] : line.texts("options")) header.options.insert_or_assign(name, value);
  header.players = line.texts("players");
  if (line.has("position")) header.position = line.json("position");
  return header;
}

ChanceOpening read_opening(Line& line) {
  Line chance = line.inner("chance");
  ChanceOpening opening;
  const std::string kind = chance.text("kind");
  if (kind == "seed") {
    chance.only({"kind", "seed", "generator"});
    const std::string seed = chance.text("seed");
    SeedOpening seeded;
    const auto [end, error] = std::from_chars(seed.data(), seed.data() + seed.size(), seeded.seed);
    if (seed.empty() || error != std::errc{} || end != seed.data() + seed.size())
      chance.wrong("\"seed\" must be a whole number of 64 bits, as a text.");
    if (chance.text("generator") != seed_generator) chance.wrong("\"generator\" must be \"" + std::string(seed_generator) + "\".");
    opening = seeded;
  } else if (kind == "proof") {
    chance.only({"kind", "commitment", "salt"});
    ProofOpening proof{chance.text("commitment"), chance.text("salt")};
    // A commitment has the same form as a secret.
    if (!ProofSecret::from_hex(proof.commitment)) chance.wrong("\"commitment\" must be 64 hexadecimal digits.");
    opening = std::move(proof);
  } else {
    chance.wrong("\"kind\" must be \"seed\" or \"proof\".");
  }
  line.take(chance);
  return opening;
}

RecordLine read_line(Line& line) {
  if (line.has("do")) {
    line.only({"seat", "do", "draws"});
    StepLine step{line.text("seat"), line.text("do"), {}};
    if (line.has("draws")) step.draws = line.draws("draws");
    return step;
  }
  if (line.has("undo")) {
    line.only({"undo"});
    return UndoLine{static_cast<std::uint32_t>(line.integer("undo", 1, static_cast<std::int64_t>(most_steps)))};
  }
  if (line.has("chance")) {
    line.only({"chance"});
    return ChanceLine{read_opening(line)};
  }
  if (line.has("start")) {
    line.only({"start"});
    return StartLine{line.draws("start")};
  }
  if (line.has("reveal")) {
    line.only({"reveal"});
    RevealLine reveal{line.text("reveal")};
    if (const auto secret = ProofSecret::from_hex(reveal.secret); !secret) line.wrong(secret.error().what);
    return reveal;
  }
  if (line.has("result")) {
    line.only({"result"});
    Line inner = line.inner("result");
    inner.only({"reason", "scores"});
    ResultLine result{inner.text("reason"), {}};
    Line scores = inner.inner("scores");
    if (inner.has("scores") && inner.json("scores").is_object()) {
      for (const auto& [seat, score] : inner.json("scores").items()) {
        result.scores.emplace_back(seat, static_cast<int>(scores.integer(seat.c_str(), -1, 1)));
      }
    }
    inner.take(scores);
    line.take(inner);
    return result;
  }
  line.wrong("a line must hold \"do\", \"undo\", \"chance\", \"start\", \"reveal\" or \"result\".");
  return UndoLine{};
}

// Which line may follow which.
class Order {
 public:
  std::optional<std::string> wrong_with(const RecordLine& line) {
    if (ended_) return "nothing may follow the result.";
    if (std::holds_alternative<ChanceLine>(line)) {
      open_ = true;
      proof_ = std::holds_alternative<ProofOpening>(std::get<ChanceLine>(line).opening);
      any_ = true;
      return std::nullopt;
    }
    if (!any_) return "the second line must open the dice with \"chance\".";
    if (std::holds_alternative<StartLine>(line)) {
      if (std::exchange(started_, true)) return "a match starts only once.";
      if (!open_ && !draws_of(line).empty()) return "dice fall but no segment is open.";
      return std::nullopt;
    }
    if (!started_) return "the match must be started with \"start\" first.";
    if (std::holds_alternative<StepLine>(line)) {
      if (!open_ && !draws_of(line).empty()) return "dice fall but no segment is open.";
      ++standing_;
      if (++steps_ > most_steps) return "a record holds at most " + std::to_string(most_steps) + " steps.";
    } else if (const auto* undo = std::get_if<UndoLine>(&line)) {
      if (undo->count > standing_) return "\"undo\" takes back more steps than stand.";
      standing_ -= undo->count;
    } else if (std::holds_alternative<RevealLine>(line)) {
      if (!open_ || !proof_) return "a secret is revealed but no proof segment is open.";
      open_ = false;
    } else {
      ended_ = true;
    }
    return std::nullopt;
  }
  bool started() const { return started_; }

 private:
  bool any_ = false, open_ = false, proof_ = false, started_ = false, ended_ = false;
  std::size_t standing_ = 0, steps_ = 0;
};

}  // namespace

Expected<Record> read_record(const std::string& name, std::string_view text) {
  if (text.size() > largest_record) return problem(name, "a record may not be larger than 64 MiB.");
  if (text.empty()) return problem(name, "the file is empty.");
  Record record;
  Order order;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::string where = name + " line " + std::to_string(++number);
    const std::size_t end = text.find('\n');
    const std::size_t limit = number == 1 ? longest_header_line : longest_line;
    if (std::min(end, text.size()) > limit) return problem(where, "the line is longer than " + std::to_string(limit >> 20) + " MiB.");
    if (end == std::string_view::npos) return problem(where, "the last line is cut off; a record ends with a line break.");
    auto json = read_json(text.substr(0, end), where);
    if (!json) return tl::make_unexpected(json.error());
    text.remove_prefix(end + 1);
    Line line(*json, where);
    if (number == 1) {
      record.header = read_header(line);
    } else {
      record.lines.push_back(read_line(line));
    }
    if (line.problem()) return tl::make_unexpected(*line.problem());
    if (number == 1) continue;
    if (const auto wrong = order.wrong_with(record.lines.back())) return problem(where, *wrong);
  }
  if (!order.started()) return problem(name + " line " + std::to_string(number), "the record ends before the match starts.");
  return record;
}

}  // namespace baton
