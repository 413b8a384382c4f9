// The record is the truth of a match: what was set up, then every step and draw in order. docs/record.md describes the file.
//
// A record only ever grows: a step that is undone stays, followed by an undo, so that the dice can be recomputed from the first to the
// last.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/game.h"
#include "match/chances.h"

namespace baton {

inline constexpr std::string_view record_format = "baton-record";
inline constexpr int record_version = 1;
inline constexpr std::string_view seed_generator = "pcg32-1";

inline constexpr std::size_t largest_record = std::size_t{64} << 20;
inline constexpr std::size_t longest_header_line = std::size_t{8} << 20;  // a scenario of 1 MiB, escaped, and a position
inline constexpr std::size_t longest_line = std::size_t{1} << 20;
inline constexpr std::size_t most_steps = 1'000'000;

struct ScenarioReference {
  std::string id;    // the file's name without its ending
  std::string text;  // the whole file, so that a record can be played again when the program's own scenario has been tuned
  bool operator==(const ScenarioReference&) const = default;
};

inline constexpr std::size_t longest_player = 200;

// Who sits where, in the order of the seats: {"us", "human"}.
using Players = std::vector<std::pair<std::string, std::string>>;

struct RecordHeader {
  std::string game;
  ScenarioReference scenario;
  OptionValues options;
  Players players;
  std::optional<Json> position;  // instead of the scenario's start
  bool operator==(const RecordHeader&) const = default;
};

// A segment of dice: from the line that opens it to the next that does.
struct SeedOpening {
  std::uint64_t seed = 0;
  bool operator==(const SeedOpening&) const = default;
};
struct ProofOpening {
  std::string commitment, salt;
  bool operator==(const ProofOpening&) const = default;
};
using ChanceOpening = std::variant<SeedOpening, ProofOpening>;

struct ChanceLine {
  ChanceOpening opening;
  bool operator==(const ChanceLine&) const = default;
};
struct StartLine {
  std::vector<Drawn> draws;
  bool operator==(const StartLine&) const = default;
};
struct StepLine {
  std::string seat, words;
  std::vector<Drawn> draws;
  bool operator==(const StepLine&) const = default;
};
struct UndoLine {  // takes back the last `count` steps that stand
  std::uint32_t count = 1;
  bool operator==(const UndoLine&) const = default;
};
struct RevealLine {  // closes a proof segment
  std::string secret;
  bool operator==(const RevealLine&) const = default;
};
struct ResultLine {
  std::string reason;
  std::vector<std::pair<std::string, int>> scores;
  bool operator==(const ResultLine&) const = default;
};
using RecordLine = std::variant<ChanceLine, StartLine, StepLine, UndoLine, RevealLine, ResultLine>;

struct Record {
  RecordHeader header;
  std::vector<RecordLine> lines;
  bool operator==(const Record&) const = default;
};

// The file, JSON Lines. Single lines are for those who append.
std::string text_of(const RecordHeader& header);
std::string text_of(const RecordLine& line);
std::string text_of(const Record& record);

// Takes any bytes. What is wrong comes as a problem at "NAME line N".
Expected<Record> read_record(const std::string& name, std::string_view text);

// The draws of a step or start line; none for other lines.
std::span<const Drawn> draws_of(const RecordLine& line);

// Indices of the steps that were not taken back.
std::vector<std::size_t> standing_steps(const Record& record);

struct Verification {
  std::size_t segments = 0;    // recomputed and right
  std::size_t unrevealed = 0;  // proof segments whose secret is not shown (yet)
  std::size_t draws = 0;       // recomputed and right
};

// Recomputes every draw of every segment. A draw or a commitment that does not come out is a problem.
Expected<Verification> verify(const Record& record);

}  // namespace baton
