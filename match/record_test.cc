#include "match/record.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <fstream>
#include <sstream>

#include "match/test_game.h"
#include "match/typed_match.h"

namespace baton {
namespace {

using namespace bluff;
using testing::HasSubstr;

std::unique_ptr<TypedMatch<Bluff>> played(const ChanceStart& chance, int steps = 1000, std::uint64_t choice_seed = 5) {
  auto match = TypedMatch<Bluff>::create(
      {.scenario = three_seats, .options = {}, .players = {{"north", "human"}, {"west", "greedy"}}, .chance = chance, .position = {}});
  FastChance choices(choice_seed);
  for (int i = 0; i < steps && !(*match)->choosing().empty(); ++i) {
    const Seat seat = (*match)->choosing().front();
    const auto legal = (*match)->actions(seat);
    (void)(*match)->act(seat, legal[choices.pick(static_cast<std::uint32_t>(legal.size()))]);
  }
  return std::move(*match);
}

Proven proof() { return {*ProofSecret::from_hex(std::string(64, '7')), "pepper"}; }

std::string problem_of(std::string_view text) {
  const auto record = read_record("game.jsonl", text);
  return record ? "" : record.error().text();
}

const std::string header =
    R"({"format":"baton-record","version":1,"game":"bluff","scenario":{"id":"two","text":"players = 2\n"},"options":{},"players":{}})"
    "\n";
const std::string seed = R"({"chance":{"kind":"seed","seed":"1","generator":"pcg32-1"}})"
                         "\n";

TEST(Record, ReadsBackAsWritten) {
  for (const ChanceStart& chance : {ChanceStart{Seeded{3}}, ChanceStart{proof()}}) {
    const auto match = played(chance);
    const std::string text = text_of(match->record());
    const auto again = read_record("game.jsonl", text);
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_TRUE(*again == match->record());
    EXPECT_EQ(text_of(*again), text);
  }
}

TEST(Record, SaysWhichLineIsWrongAndWhy) {
  EXPECT_THAT(problem_of(""), "game.jsonl: the file is empty.");
  EXPECT_THAT(problem_of("hello\n"), "game.jsonl line 1: this is not valid JSON.");
  EXPECT_THAT(problem_of("[]\n"), "game.jsonl line 1: a line must be an object.");
  EXPECT_THAT(problem_of("{}\n"), HasSubstr("line 1: \"format\" must be a text"));
  EXPECT_THAT(problem_of(R"({"format":"other"})"
                         "\n"),
              HasSubstr("this is not a record"));
  EXPECT_THAT(problem_of(R"({"format":"baton-record","version":2})"
                         "\n"),
              HasSubstr("records of version 1 only"));
  EXPECT_THAT(problem_of(R"({"format":"baton-record","version":"1"})"
                         "\n"),
              HasSubstr("\"version\" must be a whole number"));
  EXPECT_THAT(problem_of(header), HasSubstr("ends before the match starts"));
  EXPECT_THAT(problem_of(header + "{\"start\":[]}\n"), HasSubstr("line 2: the second line must open the dice"));
  EXPECT_THAT(problem_of(header + seed + "{\"start\":[]}"), HasSubstr("line 3: the last line is cut off"));
  EXPECT_THAT(problem_of(header + seed + "{\"start\":[\"d6=9\"]}\n"), HasSubstr("\"d6=9\" is not a draw"));
  EXPECT_THAT(problem_of(header + seed + "{\"start\":[5]}\n"), HasSubstr("list of texts"));
  EXPECT_THAT(problem_of(header + seed + "{\"seat\":\"a\",\"do\":\"b\"}\n"), HasSubstr("must be started"));
  EXPECT_THAT(problem_of(header + seed + "{\"start\":[]}\n{\"start\":[]}\n"), HasSubstr("only once"));
  EXPECT_THAT(problem_of(header + seed + "{\"start\":[]}\n{\"undo\":1}\n"), HasSubstr("line 4: \"undo\" takes back more"));
  EXPECT_THAT(problem_of(header + seed + "{\"start\":[]}\n{\"undo\":-1}\n"), HasSubstr("whole number from 1"));
  EXPECT_THAT(problem_of(header + seed + "{\"start\":[]}\n{\"seat\":1,\"do\":\"b\"}\n"), HasSubstr("\"seat\" must be a text"));
  EXPECT_THAT(problem_of(header + seed + "{\"start\":[]}\n{\"seat\":\"a\",\"do\":\"b\",\"x\":1}\n"), HasSubstr("\"x\" is not known here"));
  EXPECT_THAT(problem_of(header + seed + "{\"start\":[]}\n{\"what\":1}\n"), HasSubstr("a line must hold"));
  EXPECT_THAT(problem_of(header + seed + "{\"start\":[]}\n{\"reveal\":\"" + std::string(64, '1') + "\"}\n"),
              HasSubstr("no proof segment is open"));
  EXPECT_THAT(problem_of(header + seed + "{\"start\":[]}\n{\"reveal\":\"zz\"}\n"), HasSubstr("64 hexadecimal digits"));
  EXPECT_THAT(problem_of(header + seed + "{\"start\":[]}\n{\"result\":{\"reason\":\"x\",\"scores\":{\"a\":2}}}\n"),
              HasSubstr("\"a\" must be a whole number"));
  EXPECT_THAT(problem_of(header + seed + "{\"start\":[]}\n{\"result\":{\"reason\":\"x\",\"scores\":{}}}\n{\"undo\":1}\n"),
              HasSubstr("nothing may follow"));
  EXPECT_THAT(problem_of(header + "{\"chance\":{\"kind\":\"coin\"}}\n"), HasSubstr("\"kind\" must be"));
  EXPECT_THAT(problem_of(header + "{\"chance\":{\"kind\":\"seed\",\"seed\":\"-1\",\"generator\":\"pcg32-1\"}}\n"),
              HasSubstr("\"seed\" must be"));
  EXPECT_THAT(problem_of(header + "{\"chance\":{\"kind\":\"seed\",\"seed\":\"1\",\"generator\":\"mt\"}}\n"),
              HasSubstr("\"generator\" must be"));
}

TEST(Record, LimitsSizes) {
  EXPECT_THAT(problem_of(header + std::string(longest_line + 1, ' ') + "\n"), HasSubstr("line 2: the line is longer than 1 MiB"));
  EXPECT_THAT(problem_of(std::string(longest_header_line + 1, ' ') + "\n"), HasSubstr("line 1: the line is longer than 8 MiB"));
  EXPECT_THAT(problem_of(std::string(largest_record + 1, '\n')), HasSubstr("larger than 64 MiB"));
  EXPECT_THAT(problem_of(header + std::string(1000, '[') + "\n"), HasSubstr("nested deeper"));
}

RC_GTEST_PROP(Record, AnyDamageIsReadOrRefused, ()) {
  static const std::string whole = text_of(played(proof())->record());
  std::string text = whole;
  const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
  switch (*rc::gen::inRange(0, 3)) {
    case 0: text[at] = static_cast<char>(*rc::gen::inRange(0, 256)); break;
    case 1: text.erase(at, *rc::gen::inRange<std::size_t>(1, 50)); break;
    default: text.resize(at); break;
  }
  const auto record = read_record("x", text);
  if (!record) {
    RC_ASSERT(!record.error().what.empty());
  } else if (const auto match = TypedMatch<Bluff>::load(*record); !match) {
    RC_ASSERT(!match.error().what.empty());
  }
}

TEST(Verify, RecomputesEverySegment) {
  const auto seeded = verify(played(Seeded{9})->record());
  ASSERT_TRUE(seeded);
  EXPECT_EQ(seeded->segments, 1u);
  EXPECT_EQ(seeded->draws, 12u) << "nine cards and three dice";
  const auto proven = verify(played(proof())->record());
  ASSERT_TRUE(proven) << proven.error().text();
  EXPECT_EQ(proven->segments, 1u);
  EXPECT_EQ(proven->unrevealed, 0u);
}

TEST(Verify, AForgedDieIsFound) {
  for (const ChanceStart& chance : {ChanceStart{Seeded{3}}, ChanceStart{proof()}}) {
    Record record = played(chance)->record();
    for (RecordLine& line : record.lines) {
      auto* step = std::get_if<StepLine>(&line);
      if (step == nullptr || step->draws.empty()) continue;
      step->draws[0].value = (step->draws[0].value + 1) % 6;
      break;
    }
    const auto wrong = verify(record);
    ASSERT_FALSE(wrong);
    EXPECT_THAT(wrong.error().what, HasSubstr("but the dice give"));
    EXPECT_FALSE(TypedMatch<Bluff>::load(record));
  }
}

TEST(Verify, AnotherSecretIsFound) {
  Record record = played(proof())->record();
  for (RecordLine& line : record.lines) {
    if (auto* reveal = std::get_if<RevealLine>(&line)) reveal->secret = std::string(64, '8');
  }
  EXPECT_THAT(verify(record).error().what, HasSubstr("does not fit the commitment of line 2"));
}

TEST(Verify, ASegmentThatIsNotRevealedIsCounted) {
  const auto running = verify(played(proof(), 5)->record());
  ASSERT_TRUE(running);
  EXPECT_EQ(running->segments, 0u);
  EXPECT_EQ(running->unrevealed, 1u);
  EXPECT_EQ(running->draws, 0u);
}

// The description's example is a record of version 1 that must stay readable.
TEST(Record, TheExampleOfTheDocumentIsOne) {
  std::ifstream file(BATON_SOURCE_DIR "/docs/record.md");
  std::stringstream document;
  document << file.rdbuf();
  const std::string text = document.str();
  const std::string opening = "```jsonl\n";
  const std::size_t begin = text.find(opening) + opening.size();
  const auto record = read_record("example", std::string_view(text).substr(begin, text.find("```", begin) - begin));
  ASSERT_TRUE(record) << record.error().text();
  const auto right = verify(*record);
  ASSERT_TRUE(right) << right.error().text();
  EXPECT_EQ(right->segments, 2u);
  EXPECT_EQ(right->draws, 9u);
  const auto match = TypedMatch<Bluff>::load(*record);
  ASSERT_TRUE(match) << match.error().text();
  EXPECT_TRUE((*match)->result().won(Seat{1}));
}

}  // namespace
}  // namespace baton
