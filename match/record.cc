#include "match/record.h"

#include "match/json_reader.h"

namespace baton {
namespace {

template <class... Fs>
struct Overloaded : Fs... {
  using Fs::operator()...;
};
template <class... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

Json json_of(const std::vector<Drawn>& draws) {
  Json all = Json::array();
  for (const Drawn& drawn : draws) all.push_back(text_of(drawn));
  return all;
}

Json json_of(const ChanceOpening& opening) {
  if (const auto* seed = std::get_if<SeedOpening>(&opening)) {
    return {{"kind", "seed"}, {"seed", std::to_string(seed->seed)}, {"generator", seed_generator}};
  }
  const auto& proof = std::get<ProofOpening>(opening);
  return {{"kind", "proof"}, {"commitment", proof.commitment}, {"salt", proof.salt}};
}

Json json_of(const RecordLine& line) {
  return std::visit(Overloaded{
                        [](const ChanceLine& l) {
                          return Json{{"chance", json_of(l.opening)}};
                        },
                        [](const StartLine& l) {
                          return Json{{"start", json_of(l.draws)}};
                        },
                        [](const StepLine& l) {
                          Json json = {{"seat", l.seat}, {"do", l.words}};
                          if (!l.draws.empty()) json["draws"] = json_of(l.draws);
                          return json;
                        },
                        [](const UndoLine& l) {
                          return Json{{"undo", l.count}};
                        },
                        [](const RevealLine& l) {
                          return Json{{"reveal", l.secret}};
                        },
                        [](const ResultLine& l) {
                          Json scores = Json::object();
                          for (const auto& [seat, score] : l.scores) scores[seat] = score;
                          return Json{{"result", {{"reason", l.reason}, {"scores", scores}}}};
                        },
                    },
                    line);
}

}  // namespace

std::string text_of(const RecordHeader& header) {
  Json json = {{"format", record_format}, {"version", record_version}, {"game", header.game}};
  json["scenario"] = {{"id", header.scenario.id}, {"text", header.scenario.text}};
  json["options"] = Json::object();
  for (const auto& [name, value] : header.options) json["options"][name] = value;
  json["players"] = Json::object();
  for (const auto& [seat, player] : header.players) json["players"][seat] = player;
  if (header.position) json["position"] = *header.position;
  return one_line(json) + "\n";
}

std::string text_of(const RecordLine& line) { return one_line(json_of(line)) + "\n"; }

std::string text_of(const Record& record) {
  std::string text = text_of(record.header);
  for (const RecordLine& line : record.lines) text += text_of(line);
  return text;
}

std::span<const Drawn> draws_of(const RecordLine& line) {
  if (const auto* step = std::get_if<StepLine>(&line)) return step->draws;
  if (const auto* start = std::get_if<StartLine>(&line)) return start->draws;
  return {};
}

std::vector<std::size_t> standing_steps(const Record& record) {
  std::vector<std::size_t> standing;
  for (std::size_t i = 0; i < record.lines.size(); ++i) {
    if (std::holds_alternative<StepLine>(record.lines[i])) standing.push_back(i);
    if (const auto* undo = std::get_if<UndoLine>(&record.lines[i]))
      standing.resize(standing.size() - std::min<std::size_t>(undo->count, standing.size()));
  }
  return standing;
}

}  // namespace baton
