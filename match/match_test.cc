#include "match/match.h"

#include <gmock/gmock.h>

#include "match/test_game.h"
#include "match/typed_match.h"

namespace baton {
namespace {

using namespace bluff;
using testing::HasSubstr;
using testing::Not;
using BluffMatch = TypedMatch<Bluff>;
using Truth = TruthForTests<Bluff>;

constexpr Seat north{0}, south{1}, west{2};

std::unique_ptr<BluffMatch> started(const ScenarioFile& file = two_seats, const ChanceStart& chance = Seeded{1}) {
  auto match = BluffMatch::create({.scenario = file, .options = {}, .players = {}, .chance = chance, .position = {}});
  return std::move(*match);
}

Proven proof(char digit) { return {*ProofSecret::from_hex(std::string(64, digit)), "salt"}; }

Action first_bid(const Match& match, Seat seat) { return match.actions(seat).front(); }

void play_on(Match& match, int steps = 1000, std::uint64_t seed = 1) {
  FastChance choices(seed);
  for (int i = 0; i < steps && !match.choosing().empty(); ++i) {
    const Seat seat = match.choosing().front();
    const auto legal = match.actions(seat);
    ASSERT_TRUE(match.act(seat, legal[choices.pick(static_cast<std::uint32_t>(legal.size()))]));
  }
}

std::string all_views(const Match& match) {
  std::string all;
  for (const Seat viewer : {north, south, spectator})
    all += match.view(viewer).dump() + match.events(viewer).dump() + match.seat_record(viewer);
  return all;
}

TEST(Match, RefusesWhatTheRulesRefuse) {
  const auto match = started();
  EXPECT_THAT(match->act(south, {raise_one}).error().what, HasSubstr("not for south to choose"));
  EXPECT_THAT(match->act(spectator, {raise_one}).error().what, HasSubstr("not for spectator"));
  EXPECT_THAT(match->act(north, {bluff::cancel}).error().what, HasSubstr("refused: wrong-phase"));
  EXPECT_THAT(match->act_words(north, "raise 9").error().what, HasSubstr("refused: no-such-action"));
  EXPECT_THAT(match->act_words(north, "win").error().what, HasSubstr("not a known action"));
  EXPECT_THAT(match->act_json(north, Json::array()).error().what, HasSubstr("an object"));
  EXPECT_EQ(match->why_not(north, {raise_one}), "");
  EXPECT_EQ(match->why_not(south, {raise_one}), "not-your-choice");
  EXPECT_EQ(match->steps(), 0u);
  ASSERT_TRUE(match->act_json(north, {{"do", "raise"}, {"amount", 2}}));
  EXPECT_EQ(match->steps(), 1u);
  EXPECT_EQ(match->seat_named("south"), south);
  EXPECT_EQ(match->seat_named("spectator"), spectator);
  EXPECT_EQ(match->seat_named("moon"), std::nullopt);
}

TEST(Match, RefusesASetupThatDoesNotFit) {
  const auto create = [](MatchSetup setup) { return BluffMatch::create(setup).error().text(); };
  EXPECT_THAT(create({.scenario = {"x.toml", "players = 5\n"}, .options = {}, .players = {}, .position = {}}), HasSubstr("x.toml:1"));
  EXPECT_THAT(create({.scenario = two_seats, .options = {{"speed", "9"}}, .players = {}, .position = {}}), HasSubstr("option speed"));
  EXPECT_THAT(create({.scenario = two_seats, .options = {}, .players = {{"west", "human"}}, .position = {}}),
              HasSubstr("no seat \"west\""));
  EXPECT_THAT(create({.scenario = two_seats, .options = {}, .players = {}, .position = Json::array()}), HasSubstr("position: "));
}

TEST(Match, AGameEndsWithItsResultInTheRecord) {
  const auto match = started();
  play_on(*match);
  EXPECT_TRUE(match->result().over);
  EXPECT_NE(match->reason(), "");
  EXPECT_THAT(match->act(north, {raise_one}).error().what, HasSubstr("over"));
  EXPECT_THAT(text_of(match->record()), HasSubstr("{\"result\":{\"reason\":\"" + match->reason()));
  EXPECT_FALSE(match->can_undo(north) || match->can_undo(south));
}

TEST(Match, AViewHoldsOnlyTheViewersShare) {
  const auto match = started();
  ASSERT_TRUE(match->act_words(north, "done"));
  ASSERT_TRUE(match->act(north, first_bid(*match, north)));
  const Json own = match->view(north), other = match->view(south), outside = match->view(spectator);
  EXPECT_EQ(own["seat"], "north");
  EXPECT_EQ(own["choosing"], Json::array({"south"}));
  EXPECT_TRUE(own["actions"].empty());
  EXPECT_EQ(other["actions"].size(), 3u);
  EXPECT_TRUE(outside["actions"].empty());
  EXPECT_TRUE(own["state"]["seats"]["north"].contains("hand"));
  EXPECT_FALSE(other["state"]["seats"]["north"].contains("hand"));
  EXPECT_EQ(other["state"]["seats"]["north"]["bid"], -2);
  EXPECT_EQ(outside["result"], nullptr);
  EXPECT_THAT(match->events(south).dump(), Not(HasSubstr("own-bid")));
  EXPECT_THAT(match->events(north).dump(), HasSubstr("own-bid"));
  EXPECT_EQ(match->events(spectator).size(), 1u);
  EXPECT_EQ(match->events(north, 3).size(), match->events(north).size() - 3);
}

TEST(Match, ForcedChoicesAreTakenByTheMatch) {
  const auto match = started();
  while (match->result().over == false) {
    match->take_forced();
    if (match->choosing().empty()) break;
    for (const Seat seat : match->choosing()) ASSERT_GT(match->actions(seat).size(), 1u);
    const Seat seat = match->choosing().front();
    ASSERT_TRUE(match->act(seat, match->actions(seat).back()));
  }
  EXPECT_TRUE(match->result().over);
}

TEST(Undo, GoesBackChoiceByChoice) {
  const auto match = started();
  EXPECT_FALSE(match->can_undo(north));
  const std::string before = all_views(*match);
  ASSERT_TRUE(match->act_words(north, "raise"));
  const std::string once = all_views(*match);
  ASSERT_TRUE(match->act_words(north, "raise 2"));
  EXPECT_FALSE(match->can_undo(south));
  ASSERT_TRUE(match->can_undo(north));
  ASSERT_TRUE(match->undo(north));
  EXPECT_EQ(all_views(*match), once);
  ASSERT_TRUE(match->undo(north));
  EXPECT_EQ(all_views(*match), before);
  EXPECT_FALSE(match->undo(north));
  EXPECT_THAT(text_of(match->record()), HasSubstr("{\"seat\":\"north\",\"do\":\"raise 2\"}\n{\"undo\":1}\n{\"undo\":1}\n"));
}

TEST(Undo, StopsWhereASecretWasLearned) {
  const auto match = started(three_seats);
  ASSERT_TRUE(match->act_words(north, "peek south"));
  EXPECT_FALSE(match->can_undo(north));
  ASSERT_TRUE(match->act_words(north, "raise"));
  EXPECT_TRUE(match->can_undo(north));
  ASSERT_TRUE(match->undo(north));
  EXPECT_FALSE(match->can_undo(north));
}

TEST(Undo, StopsWhereDiceFellOrAnotherChose) {
  const auto match = started();
  ASSERT_TRUE(match->act_words(north, "done"));
  EXPECT_TRUE(match->can_undo(north)) << "nobody has bid yet";
  ASSERT_TRUE(match->act(south, first_bid(*match, south)));
  EXPECT_FALSE(match->can_undo(north)) << "another seat chose";
  EXPECT_FALSE(match->can_undo(south)) << "the bid was told to one seat only";
  ASSERT_TRUE(match->act(north, first_bid(*match, north)));
  EXPECT_FALSE(match->can_undo(north)) << "a die fell";
}

TEST(Undo, TakesForcedChoicesAlong) {
  auto match = BluffMatch::create(
      {.scenario = {"two.toml", "players = 2\ngoal = 200\n"}, .options = {{"most_stake", "2"}}, .players = {}, .position = {}});
  ASSERT_TRUE(match);
  ASSERT_TRUE((*match)->act_words(north, "peek south"));
  ASSERT_TRUE((*match)->act_words(north, "raise"));
  EXPECT_EQ((*match)->actions(north).size(), 1u) << "only \"done\" is left";
  EXPECT_EQ((*match)->take_forced(), 1);
  ASSERT_TRUE((*match)->undo(north));
  EXPECT_EQ((*match)->steps(), 1u);
  EXPECT_THAT(text_of((*match)->record()), HasSubstr("{\"undo\":2}"));
  EXPECT_FALSE((*match)->can_undo(north));
}

TEST(Undo, ARecordWithUndoReplays) {
  const auto match = started();
  ASSERT_TRUE(match->act_words(north, "raise"));
  ASSERT_TRUE(match->undo(north));
  ASSERT_TRUE(match->act_words(north, "raise 3"));
  play_on(*match);
  const auto again = BluffMatch::load(match->record());
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(Truth::state(**again), Truth::state(*match));
  EXPECT_EQ(all_views(**again), all_views(*match));
}

// By agreement or by an editor, a record may take back more than undo() allows: the dice are used up all the same.
TEST(Undo, DiceOfStepsTakenBackAreNotUsedAgain) {
  const auto match = started();
  play_on(*match, 4);
  Record record = match->record();
  const auto standing = standing_steps(record);
  record.lines.push_back(UndoLine{static_cast<std::uint32_t>(standing.size())});
  const auto again = BluffMatch::load(record);
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ((*again)->steps(), 0u);
  play_on(**again, 1000, 3);
  const auto right = verify((*again)->record());
  ASSERT_TRUE(right) << right.error().text();
}

TEST(Load, GoesOnWithTheSameSeededDice) {
  const auto whole = started();
  play_on(*whole);
  for (const int cut : {0, 3, 7}) {
    const auto part = started();
    play_on(*part, cut);
    auto again = BluffMatch::load(part->record());
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_TRUE((*again)->dice_are_open());
    for (std::size_t i = (*again)->steps(); i < whole->steps(); ++i) {
      const auto& step = std::get<StepLine>(whole->record().lines[standing_steps(whole->record())[i]]);
      ASSERT_TRUE((*again)->act_words(*whole->seat_named(step.seat), step.words));
    }
    EXPECT_EQ(text_of((*again)->record()), text_of(whole->record()));
  }
}

TEST(Load, RefusesWhatTheRulesWouldNotHaveDone) {
  const auto match = started();
  play_on(*match, 5);
  const auto load = [&](auto&& change) {
    Record record = match->record();
    change(record);
    const auto again = BluffMatch::load(record);
    return again ? "" : again.error().text();
  };
  const auto step = [](Record& record, std::size_t i) -> StepLine& { return std::get<StepLine>(record.lines[standing_steps(record)[i]]); };
  EXPECT_EQ(load([](Record&) {}), "");
  EXPECT_THAT(load([](Record& r) { r.header.game = "chess"; }), HasSubstr("a record of \"chess\""));
  EXPECT_THAT(load([](Record& r) { r.header.scenario.text = "players = 9\n"; }), HasSubstr("two.toml"));
  EXPECT_THAT(load([](Record& r) { r.header.options["x"] = "1"; }), HasSubstr("option x"));
  EXPECT_THAT(load([](Record& r) { r.header.players = {{"moon", "human"}}; }), HasSubstr("no seat \"moon\""));
  EXPECT_THAT(load([&](Record& r) { step(r, 0).words = "accept"; }), HasSubstr("record line 4: \"accept\" is refused: wrong-phase"));
  EXPECT_THAT(load([&](Record& r) { step(r, 0).words = "x"; }), HasSubstr("not a known action"));
  EXPECT_THAT(load([&](Record& r) { step(r, 0).seat = "south"; }), HasSubstr("not for south to choose"));
  EXPECT_THAT(load([&](Record& r) { step(r, 0).seat = "east"; }), HasSubstr("no seat \"east\""));
  EXPECT_THAT(load([&](Record& r) { std::get<StartLine>(r.lines[1]).draws.pop_back(); }), HasSubstr("no draw is left"));
  EXPECT_THAT(load([&](Record& r) { r.lines.push_back(UndoLine{99}); }), HasSubstr("more steps than stand"));
  EXPECT_THAT(load([&](Record& r) { r.lines.push_back(ResultLine{"cards-out", {}}); }), HasSubstr("the record ends but the game does not"));
  EXPECT_THAT(load([&](Record& r) { r.lines.resize(1); }), HasSubstr("never starts"));
}

TEST(ProvenDice, ASaveShowsNoDiceToCome) {
  const auto match = started(two_seats, proof('1'));
  play_on(*match, 6);
  EXPECT_THAT(text_of(match->record()), Not(HasSubstr("reveal")));
  match->close_dice();
  const Record saved = match->record();
  EXPECT_THAT(text_of(saved), HasSubstr("{\"reveal\":\"" + std::string(64, '1')));
  EXPECT_FALSE(match->dice_are_open());

  auto resumed = BluffMatch::load(saved);
  ASSERT_TRUE(resumed);
  EXPECT_FALSE((*resumed)->dice_are_open());
  (*resumed)->open_dice(proof('2'));
  EXPECT_EQ(std::get<ProofOpening>(*(*resumed)->dice_opening()).commitment, proof('2').secret.commitment());
  play_on(**resumed);
  const auto right = verify((*resumed)->record());
  ASSERT_TRUE(right) << right.error().text();
  EXPECT_EQ(right->segments, 2u);
  EXPECT_EQ(right->unrevealed, 0u);

  play_on(*match);  // the match that was saved opens a fresh segment by itself
  EXPECT_EQ(verify(match->record())->segments, 2u);
}

TEST(ProvenDice, GoOnAfterACrashWithTheKeptSecret) {
  const auto whole = started(two_seats, proof('1')), part = started(two_seats, proof('1'));
  play_on(*whole, 8);
  play_on(*part, 5);
  ASSERT_TRUE(part->open_secret());
  auto again = BluffMatch::load(part->record(), Proven{*part->open_secret(), "salt"});
  ASSERT_TRUE(again);
  for (std::size_t i = 5; i < whole->steps(); ++i) {
    const auto& step = std::get<StepLine>(whole->record().lines[standing_steps(whole->record())[i]]);
    ASSERT_TRUE((*again)->act_words(*whole->seat_named(step.seat), step.words));
  }
  EXPECT_EQ(text_of((*again)->record()), text_of(whole->record()));
}

TEST(ProvenDice, AnySaltCanBeRecorded) {
  for (const std::string& salt : {std::string(5000, 'x'), std::string("\xff\xfe"), std::string("größer 札"), std::string("a\nb\0c", 5)}) {
    const auto match = started(two_seats, Proven{ProofSecret::fresh(), salt});
    play_on(*match);
    const auto record = read_record("x", text_of(match->record()));
    ASSERT_TRUE(record) << record.error().text();
    EXPECT_EQ(verify(*record)->segments, 1u);
  }
}

TEST(Branch, GoesOnFromAnyStepWithFreshDice) {
  const auto match = started();
  ASSERT_TRUE(match->act_words(north, "raise"));
  ASSERT_TRUE(match->undo(north));
  play_on(*match);
  for (std::size_t step = 0; step <= match->steps(); ++step) {
    const auto branch = match->branch(step, Seeded{99});
    ASSERT_TRUE(branch) << branch.error().text();
    EXPECT_EQ((*branch)->steps(), step);
    for (const Seat viewer : {north, south, spectator}) EXPECT_EQ((*branch)->view(viewer), match->view_at(viewer, step));
    play_on(**branch, 1000, 8);
    const auto right = verify((*branch)->record());
    ASSERT_TRUE(right) << right.error().text();
    EXPECT_TRUE(read_record("branch", text_of((*branch)->record())));
    EXPECT_TRUE(BluffMatch::load((*branch)->record()));
  }
  EXPECT_FALSE(match->branch(match->steps() + 1, Seeded{1}));
}

TEST(Branch, OfALiveProofGameKeepsItsSecret) {
  const auto match = started(two_seats, proof('1'));
  play_on(*match, 5);
  const auto branch = match->branch(3, Seeded{1});
  ASSERT_TRUE(branch);
  EXPECT_THAT(text_of((*branch)->record()), Not(HasSubstr(std::string(64, '1'))));
  EXPECT_EQ(verify((*branch)->record())->unrevealed, 1u);
}

TEST(Position, IsSavedAndStartedFrom) {
  const auto match = started();
  play_on(*match, 9);
  auto again =
      BluffMatch::create({.scenario = two_seats, .options = {}, .players = {}, .chance = Seeded{4}, .position = match->save_position()});
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(Truth::state(**again), Truth::state(*match));
  EXPECT_EQ((*again)->header().scenario.text, two_seats.text);
  play_on(**again);
  const auto replayed = BluffMatch::load(*read_record("x", text_of((*again)->record())));
  ASSERT_TRUE(replayed) << replayed.error().text();
  EXPECT_EQ(Truth::state(**replayed), Truth::state(**again));
  EXPECT_THAT((*again)->seat_record(north), Not(HasSubstr("position")));
  EXPECT_THAT((*again)->seat_record(north), Not(HasSubstr("deck")));
}

TEST(SeatRecord, FollowsTheViewByPatches) {
  const auto match = started(three_seats);
  play_on(*match);
  for (const Seat viewer : {north, south, west, spectator}) {
    std::istringstream lines(match->seat_record(viewer));
    std::string line;
    std::getline(lines, line);
    EXPECT_EQ(Json::parse(line)["seat"], match->name_of(viewer));
    std::getline(lines, line);
    Json first = Json::parse(line);
    Json scene = first["view"];
    std::size_t told = first["events"].size();
    while (std::getline(lines, line)) {
      const Json change = Json::parse(line);
      EXPECT_FALSE(change.empty());
      EXPECT_TRUE(!change.contains("do") || viewer != spectator);
      EXPECT_FALSE(change.contains("draws") || change.contains("step") || change.contains("seat"));
      if (change.contains("patch")) scene = scene.patch(change["patch"]);
      if (change.contains("events")) told += change["events"].size();
    }
    const Json last = match->view(viewer);
    EXPECT_EQ(nlohmann::json(scene["state"]), nlohmann::json(last["state"]));
    EXPECT_EQ(nlohmann::json(scene["result"]), nlohmann::json(last["result"]));
    EXPECT_EQ(told, match->events(viewer).size());
  }
}

TEST(SeatRecord, TellsNothingOfASecretChoice) {
  const auto left = started(three_seats), right = started(three_seats);
  for (BluffMatch* match : {left.get(), right.get()}) ASSERT_TRUE(match->act_words(north, "done"));
  ASSERT_TRUE(left->act(north, left->actions(north).front()));
  ASSERT_TRUE(right->act(north, right->actions(north).back()));
  EXPECT_NE(left->seat_record(north), right->seat_record(north));
  for (const Seat viewer : {south, west, spectator}) EXPECT_EQ(left->seat_record(viewer), right->seat_record(viewer));
}

TEST(Knowledge, IsWhatABotGets) {
  const auto match = started();
  const bluff::Knowledge known = match->knowledge(south);
  EXPECT_EQ(known.hand[0], 0);
  EXPECT_NE(known.hand[1], 0);
}

}  // namespace
}  // namespace baton
