#include "bots/program_player.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <thread>

#include "bots/own_turn.h"
#include "core/utf8.h"
#include "match/registry.h"

namespace baton {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using Clock = std::chrono::steady_clock;

std::unique_ptr<Match> new_match(std::uint64_t seed) {
  MatchSetup setup;
  setup.scenario = *shipped_scenario("company-commander", "normandy");
  setup.chance = Seeded{seed};
  return std::move(*create_match("company-commander", setup));
}

// Plays a whole match with the same command in both seats. The first problem, or "".
std::string play(const std::string& command, milliseconds patience = milliseconds(5000), milliseconds to_start = time_to_start) {
  const auto match = new_match(3);
  std::vector<std::unique_ptr<Player>> players;
  for (int i = 0; i < 2; ++i) players.push_back(make_program_player(command, {.time = patience, .to_start = to_start}));
  while (!match->choosing().empty()) {
    const Seat seat = match->choosing().front();
    const auto chosen = players[static_cast<std::size_t>(index(seat))]->choose({*match, seat});
    if (!chosen) return chosen.error().text();
    if (const auto done = match->act(seat, *chosen); !done) return done.error().text();
  }
  return {};
}

TEST(ProgramPlayer, AShellScriptPlaysAWholeMatch) {
  EXPECT_EQ(play("while read -r line; do case $line in *'\"type\":\"choose\"'*) echo '{\"index\":0}';; esac; done"), "");
}

TEST(ProgramPlayer, TheExampleInPythonPlaysLegally) { EXPECT_EQ(play("python3 '" BATON_SOURCE_DIR "/bots/examples/first_bot.py'"), ""); }

TEST(ProgramPlayer, ForfeitsWithAReason) {
  const std::string answer = "read -r hello; read -r question; ";
  EXPECT_THAT(play("exit 3"), HasSubstr("ended with code 3 instead of answering"));
  EXPECT_THAT(play("no-such-command-here 2> /dev/null"), HasSubstr("is there such a command?"));
  EXPECT_THAT(play(answer + "kill -SEGV $$"), HasSubstr("was ended by the signal"));
  EXPECT_THAT(play(answer + "echo hello; cat > /dev/null"), HasSubstr("answered \"hello\", which is not a JSON object"));
  EXPECT_THAT(play(answer + "echo '{}'; cat > /dev/null"), HasSubstr("without \"action\" or \"index\""));
  for (const std::string number : {"99999", "-1", "0.5", "\"0\"", "null"}) {
    EXPECT_THAT(play(answer + "echo '{\"index\": " + number + "}'; cat > /dev/null"),
                HasSubstr("answered the index " + number + ", but an index is a whole number from 0 to 8 here"));
  }
  EXPECT_THAT(play(answer + "echo; cat > /dev/null"), HasSubstr("answered with an empty line"));
  EXPECT_THAT(play(answer + "echo '{\"action\": \"dance\"}'; cat > /dev/null"), HasSubstr("answered the action"));
  EXPECT_THAT(play(answer + "echo '{\"action\": \"done\"}'; cat > /dev/null"),
              HasSubstr("answered the action \"done\", which is refused: Drawn squads are still waiting."));
  EXPECT_THAT(play(answer + "echo '{\"action\": {\"do\": \"done\"}}'; cat > /dev/null"),
              HasSubstr("answered the action {\"do\":\"done\"}, which is refused: Drawn squads"));
  EXPECT_THAT(play(answer + "cat /dev/zero"), HasSubstr("without ending the line"));
}

// Whether it is gone before or after the question was sent is luck, and may make no difference.
TEST(ProgramPlayer, WhatItSaidCountsHoweverSoonItIsGone) {
  for (int i = 0; i < 20; ++i) {
    EXPECT_THAT(play("echo nonsense"), HasSubstr("answered \"nonsense\", which is not a JSON object"));
    EXPECT_THAT(play("echo '{\"index\":0}'"), HasSubstr("ended with code 0 instead of answering")) << "which is seen at the next question";
  }
}

// At once, not when the clock has run out.
TEST(ProgramPlayer, IsNotWaitedForInVain) {
  const std::string answer = "read -r hello; read -r question; ";
  const auto begun = Clock::now();
  EXPECT_THAT(play(answer + "exec <&- >&-; sleep 1000", std::chrono::seconds(60)),
              HasSubstr("closed its standard output instead of answering"));
  EXPECT_THAT(play(answer + "exec >&-; sleep 1000", std::chrono::seconds(60)),
              HasSubstr("closed its standard output instead of answering"));
  EXPECT_THAT(play(answer + "exec <&-; echo '{\"index\":0}'; sleep 1000", std::chrono::seconds(60)),
              HasSubstr("closed its standard input instead of answering"))
      << "seen at the next question";
  EXPECT_THAT(play(answer + "sleep 1000 & exit 5", std::chrono::seconds(60)), HasSubstr("ended with code 5 instead of answering"))
      << "though what it started holds its output";
  EXPECT_LT(Clock::now() - begun, std::chrono::seconds(20));
}

// Though it is started by a shell, which has them too.
TEST(ProgramPlayer, WhatOneProgramClosesIsSeen) {
  const auto begun = Clock::now();
  const std::string folder = std::filesystem::temp_directory_path() / ("baton-closes-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const std::string script = folder + "/bot.py";
  std::ofstream(script) << "import os, sys, time\nsys.stdin.readline()\nsys.stdin.readline()\nos.close(1)\ntime.sleep(1000)\n";
  EXPECT_THAT(play("python3 " + script, std::chrono::seconds(60)), HasSubstr("closed its standard output instead of answering"));
  EXPECT_THAT(play(" env -i /usr/bin/python3 '" + script + "'", std::chrono::seconds(60)),
              HasSubstr("closed its standard output instead of answering"));
  EXPECT_LT(Clock::now() - begun, std::chrono::seconds(20));
  // What only a shell can do, it still does.
  std::ofstream(folder + "/bot.sh") << "exit 9\n";
  EXPECT_THAT(play(". " + folder + "/bot.sh"), HasSubstr("ended with code 9"));
  std::filesystem::remove_all(folder);
}

TEST(ProgramPlayer, MayEndAfterItsAnswer) {
  const auto match = new_match(3);
  const auto player =
      make_program_player("read -r hello; read -r question; sleep 1000 & echo '{\"index\":0}'", {.time = std::chrono::seconds(60)});
  EXPECT_TRUE(player->choose({*match, match->choosing().front()}));
}

TEST(ProgramPlayer, MayNameActionAndIndexWhenTheyAgree) {
  const auto bot = [](const std::string& action) {
    return "python3 -c 'import sys, json\nfor line in sys.stdin:\n m = json.loads(line)\n if m[\"type\"] == \"choose\": "
           "print(json.dumps({\"index\": 0, \"action\": m[\"view\"][\"actions\"][" +
           action + "]}), flush=True)'";
  };
  EXPECT_EQ(play(bot("0")), "");
  EXPECT_THAT(play(bot("1")), AllOf(HasSubstr("and the index 0, which is \"deploy "), HasSubstr("give one of the two")));
}

TEST(ProgramPlayer, MayTakeLongerToStart) {
  const auto match = new_match(3);
  const auto player = make_program_player("sleep 1.2; read -r hello; read -r question; echo '{\"index\":0}'; cat > /dev/null",
                                          {.time = milliseconds(1000), .to_start = milliseconds(20'000)});
  EXPECT_TRUE(player->choose({*match, match->choosing().front()}));
}

TEST(ProgramPlayer, MayNotSpeakUnasked) {
  EXPECT_THAT(play("while read -r line; do case $line in *'\"type\":\"choose\"'*) printf '{\"index\":0}\\n{\"index\":0}\\n';; esac; done"),
              HasSubstr("said \"{\"index\":0}\" before it was asked"));
}

// What is said to the hello is taken for the first answer, and the first answer then comes unasked.
TEST(ProgramPlayer, MayNotAnswerTheHello) {
  const auto match = new_match(3);
  const auto player = make_program_player("while read -r line; do echo '{\"index\":0}'; done", {});
  auto chosen = player->choose({*match, match->choosing().front()});
  for (int i = 0; i < 50 && chosen; ++i) {  // until its second line has come before a question
    std::this_thread::sleep_for(milliseconds(200));
    chosen = player->choose({*match, match->choosing().front()});
  }
  ASSERT_FALSE(chosen);
  EXPECT_THAT(chosen.error().text(), HasSubstr("before it was asked"));
}

// What it said goes into files of results and onto terminals.
TEST(ProgramPlayer, ItsWordsAreTextWhateverTheyAre) {
  for (const std::string bytes : {"\\377", "\\303", "\\355\\240\\200", "\\302\\233", "\\033[2J", "\\177"}) {
    const std::string why = play("read -r hello; read -r question; printf '" + bytes + "!\\n'; cat > /dev/null");
    EXPECT_THAT(why, HasSubstr("?")) << bytes;
    EXPECT_TRUE(is_utf8(why)) << bytes;
    EXPECT_EQ(why.find_first_of("\033\177"), std::string::npos) << bytes;
  }
  std::string umlauts = "x";  // so that the cut falls into a character
  for (int i = 0; i < 60; ++i) umlauts += "ä";
  const std::string why = play("read -r hello; read -r question; echo '" + umlauts + "'; cat > /dev/null");
  EXPECT_THAT(why, HasSubstr("äää…\""));
  EXPECT_TRUE(is_utf8(why));
}

// The same where its words are quoted by whoever could not understand them.
TEST(ProgramPlayer, ItsWordsStayTextWhenTheyAreQuoted) {
  std::string umlauts = "x";
  for (int i = 0; i < 90; ++i) umlauts += "ä";
  for (const std::string answer : {R"({"action":"\u001b[2Jfoo"})", R"({"action":{"do":"\u001b]0;x\u0007"}})",
                                   R"({"do":"\u001b]0;x\u0007"})", R"({"action":"\u009b2J"})"}) {
    const std::string why = play("read -r hello; read -r question; printf '%s\\n' '" + answer + "'; cat > /dev/null");
    EXPECT_THAT(why, HasSubstr("answered ")) << answer;
    EXPECT_EQ(why.find_first_of("\033\007"), std::string::npos) << answer;
    EXPECT_EQ(why.find("\u009b"), std::string::npos) << answer;
    EXPECT_FALSE(why.ends_with('.')) << answer;
  }
  const std::string why = play("read -r hello; read -r question; echo '{\"action\":\"" + umlauts + "\"}'; cat > /dev/null");
  EXPECT_TRUE(is_utf8(why)) << why;
  EXPECT_THAT(why, HasSubstr("ä…\" is not a known action"));
}

TEST(ProgramPlayer, TextIsCutBetweenCharacters) {
  EXPECT_EQ(presentable("äöü", 3), "äöü");
  EXPECT_EQ(presentable("äöü", 2), "äö…");
  EXPECT_EQ(presentable("a\nb\xff\x1b[", 10), "a?b??[");
  EXPECT_EQ(presentable("", 3), "");
  EXPECT_EQ(presentable("a\u202Eb\u2028c\u2066d\u200Fe—…", 20), "a?b?c?d?e—…") << "what turns the text around it";
}

// No program stays behind, nor what it started.
TEST(ProgramPlayer, IsGoneAfterwards) {
  const std::string kept = (std::filesystem::temp_directory_path() / ("baton-left-" + std::to_string(getpid()))).string();
  EXPECT_THAT(play("sleep 1000 < /dev/null > /dev/null & echo $! > '" + kept + "'; exit 3"), HasSubstr("ended with code 3"));
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "somebody has not been waited for";
  EXPECT_EQ(errno, ECHILD);
  std::string left;
  std::getline(std::ifstream(kept) >> std::ws, left);
  std::filesystem::remove(kept);
  ASSERT_FALSE(left.empty());
  // Its new parent may take a moment to bury it, and a dead one has nothing open.
  const auto is_gone = [&] { return !std::filesystem::exists("/proc/" + left + "/exe"); };
  for (int i = 0; i < 100 && !is_gone(); ++i) std::this_thread::sleep_for(milliseconds(20));
  EXPECT_TRUE(is_gone());
}

TEST(ProgramPlayer, GetsNoneOfOurOpenFiles) {
  const int file = open("/dev/null", O_RDONLY);  // open in programs too, unless somebody closes it
  ASSERT_GT(file, STDERR_FILENO);
  EXPECT_THAT(play("[ -e /proc/$$/fd/" + std::to_string(file) + " ] && exit 9; exit 4"), HasSubstr("ended with code 4"));
  close(file);
}

TEST(ProgramPlayer, ChoosesAtOnceWhenCancelled) {
  const auto match = new_match(3);
  const auto player = make_program_player("sleep 1000", {.time = std::chrono::seconds(60)});
  const auto begun = Clock::now();
  std::atomic<bool> chosen = false;
  std::thread other([&] {  // again and again, as an arena does: before it is started there is nothing to cancel
    while (!chosen) {
      std::this_thread::sleep_for(milliseconds(20));
      player->cancel();
    }
  });
  EXPECT_FALSE(player->choose({*match, match->choosing().front()}));
  chosen = true;
  other.join();
  EXPECT_LT(Clock::now() - begun, std::chrono::seconds(10));
}

TEST(ProgramPlayer, NeverHangs) {
  const auto begun = Clock::now();
  EXPECT_THAT(play("sleep 1000", milliseconds(200), milliseconds(0)), HasSubstr("did not answer within 200 ms"));
  EXPECT_THAT(play("trap '' TERM HUP; sleep 1000 & sleep 1000", milliseconds(200), milliseconds(0)),
              HasSubstr("did not answer within 200 ms"));
  EXPECT_THAT(play("sleep 1000", milliseconds(200), milliseconds(100)), HasSubstr("did not answer within 300 ms"))
      << "the time that it had";
  EXPECT_THAT(play("exec python3 -c 'import os, time; os.setpgid(0, os.getpgid(os.getppid())); time.sleep(60)'", milliseconds(1000),
                   milliseconds(0)),
              HasSubstr("did not answer within 1000 ms"))
      << "one that leaves its group";
  EXPECT_LT(Clock::now() - begun, std::chrono::seconds(15));
}

// Answers that are each in time may together take longer than a turn has.
TEST(ProgramPlayer, SharesTheTimeOfATurnOverItsAnswers) {
  const std::string slow = "while read -r line; do case $line in *'\"type\":\"choose\"'*) sleep 0.6; echo '{\"index\":0}';; esac; done";
  const auto match = new_match(3);
  match->take_forced();
  const auto player = make_program_player(slow, {.time = milliseconds(2000), .per = ProgramClock::Per::own_turn});
  std::string why;
  for (int answers = 0; answers < 5 && why.empty(); ++answers) {
    if (const auto chosen = player->choose({*match, match->choosing().front()}); !chosen) why = chosen.error().text();
  }
  EXPECT_THAT(why, HasSubstr("did not answer within"));
}

// What it is told of its time: less and less in a turn, all of it in the next.
TEST(ProgramPlayer, EachTurnHasItsTime) {
  const std::string kept = (std::filesystem::temp_directory_path() / ("baton-clock-" + std::to_string(getpid()))).string();
  const std::string command =
      "tee -a '" + kept + "' | while read -r line; do case $line in *'\"type\":\"choose\"'*) sleep 0.02; echo '{\"index\":0}';; esac; done";
  std::filesystem::remove(kept);
  std::vector<int> turns;
  {
    const auto match = new_match(3);
    const auto program =
        make_program_player(command, {.time = std::chrono::seconds(60), .per = ProgramClock::Per::own_turn, .to_start = milliseconds(0)});
    const Seat own = match->choosing().front();
    while (match->turns() < 6 && turns.size() < 200) {
      match->take_forced();
      const Seat seat = match->choosing().front();
      Action action = match->actions(seat)[0];
      if (seat == own) {
        turns.push_back(match->turns());
        const auto chosen = program->choose({*match, seat});
        ASSERT_TRUE(chosen) << chosen.error().text();
        action = *chosen;
      }
      ASSERT_TRUE(match->act(seat, action));
    }
  }
  std::ifstream file(kept);
  std::vector<int> told;
  for (std::string line; std::getline(file, line);) {
    const Json json = Json::parse(line);
    if (json["type"] == "choose") told.push_back(json["clock"]["milliseconds"].get<int>());
  }
  std::filesystem::remove(kept);
  ASSERT_EQ(told.size(), turns.size());
  OwnTurn turn;
  int begun = 0;
  for (std::size_t i = 0; i < told.size(); ++i) {
    if (turn.begins(turns[i], 2)) {
      ++begun;
      EXPECT_EQ(told[i], 60'000) << i;
    } else {
      EXPECT_LT(told[i], told[i - 1]) << i;
    }
  }
  EXPECT_GT(begun, 1);
  EXPECT_GT(told.size(), 4u) << "more than one answer a turn, or nothing was shared";
}

// What a program gets is made from its seat's view and events: in positions that the seat cannot tell apart, the same bytes.
TEST(ProgramPlayer, GetsItsSeatsOwnBytesAndNoMore) {
  const std::string kept = (std::filesystem::temp_directory_path() / ("baton-heard-" + std::to_string(getpid()))).string();
  const auto match = new_match(5);
  match->take_forced();
  const Seat seat = match->choosing().front();
  std::string hello, question, end;
  for (int i = 0; i < 10 && end.empty(); ++i) {  // on a busy machine it may be ended before it has read that it is over
    {
      const auto player = make_program_player(
          "tee '" + kept + "' | while read -r line; do case $line in *'\"type\":\"choose\"'*) echo '{\"index\":0}';; esac; done",
          {.time = milliseconds(5000)});
      ASSERT_TRUE(player->choose({*match, seat}));
    }
    std::ifstream file(kept);
    std::getline(file, hello);
    std::getline(file, question);
    std::getline(file, end);
    std::filesystem::remove(kept);
  }
  EXPECT_EQ(Json::parse(hello)["seat"], match->name_of(seat));
  const Json expected = {
      {"type", "choose"}, {"view", match->view(seat)}, {"events", match->events(seat)}, {"clock", {{"milliseconds", 5000}}}};
  EXPECT_EQ(question, expected.dump());
  EXPECT_EQ(end, "{\"type\":\"end\"}");
}

// --- What the game's README says of the view --------------------------------------------------------------------------

// The words of a view. Places are written as the README has them: with * for the id of a unit, field, seat and the like.
struct Spoken {
  std::set<std::string> places, values, actions, events;
};

std::set<std::string> ids_of(const Match& match) {
  const Json sheet = match.sheet();
  std::set<std::string> ids;
  for (const char* group : {"units", "fields", "troops"}) {
    if (!sheet.contains(group)) continue;
    for (const auto& [id, thing] : sheet[group].items()) ids.insert(id);
  }
  for (const char* group : {"fronts", "seats", "objectives"}) {
    if (!sheet.contains(group)) continue;
    for (const Json& thing : sheet[group]) ids.insert(thing.is_string() ? thing.get<std::string>() : thing["id"].get<std::string>());
  }
  for (const Json& seat : sheet["seats"]) ids.insert(seat["team"].get<std::string>());
  return ids;
}

void gather(const Json& json, const std::string& place, const std::set<std::string>& ids, Spoken& spoken) {
  for (const auto& [key, inner] : json.items()) {
    const bool is_id = ids.contains(key) || key.find_first_not_of("0123456789") == std::string::npos;
    const std::string here = place.empty() ? key : place + (is_id ? ".*" : "." + key);
    if (!is_id) spoken.places.insert(here);
    if (inner.is_object()) gather(inner, here, ids, spoken);
    if (key == "step" || key == "after_facing") spoken.values.insert(inner.get<std::string>());
    if (key == "marks") spoken.values.insert(inner.begin(), inner.end());
  }
}

void listen_to_game(const std::string& game, const std::string& scenario, const OptionValues& options, std::uint64_t seed, Spoken& spoken) {
  MatchSetup setup;
  setup.scenario = *shipped_scenario(game, scenario);
  setup.options = options;
  setup.chance = Seeded{seed};
  const auto match = std::move(*create_match(game, setup));
  const auto ids = ids_of(*match);
  const auto player = make_player(game, *read_player_kind("greedy"), Counting::iterations, seed);
  for (int i = 0; i < 1500; ++i) {
    for (std::size_t seat = 0; seat < match->seats().size(); ++seat) {
      const Json view = match->view(Seat(seat));
      gather(view["state"], "", ids, spoken);
      for (const Json& action : view["actions"]) spoken.actions.insert(action["do"].get<std::string>());
    }
    if (match->choosing().empty()) break;
    const Seat seat = match->choosing().front();
    ASSERT_TRUE(match->act(seat, *player->choose({*match, seat})));
  }
  for (std::size_t seat = 0; seat < match->seats().size(); ++seat) {
    for (const Json& event : match->events(Seat(seat))) spoken.events.insert(event["event"].get<std::string>());
  }
}

// What the README tells of the view, by what it is about: the first column of the tables of members (and all of the row of marks), the
// paragraphs that begin with "Values of" and "Actions", the table of events.
struct Explained {
  std::string members, values, actions, events;
};

Explained explained_in(const std::string& section) {
  Explained explained;
  std::istringstream lines(section);
  std::string* about = nullptr;
  bool is_first_column = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) about = nullptr;
    if (line.starts_with("Values of")) about = &explained.values;
    if (line.starts_with("Actions")) about = &explained.actions;
    if (line.starts_with("| about | events |")) about = &explained.events;
    is_first_column = line.starts_with("| member |") || (is_first_column && line.starts_with("|"));
    if (is_first_column) {
      const std::string member = line.substr(0, line.find('|', 1));
      explained.members += member + "\n";
      if (member.find(".marks`") != std::string::npos) explained.values += line.substr(member.size()) + "\n";
    }
    if (about) *about += line + "\n";
  }
  return explained;
}

void expect_explained(const std::string& folder, const Spoken& spoken) {
  std::ostringstream text;
  text << std::ifstream(BATON_SOURCE_DIR "/games/" + folder + "/README.md").rdbuf();
  const std::string all = text.str();
  const auto begin = all.find("\n## What a seat sees\n");
  ASSERT_NE(begin, std::string::npos);
  const Explained explained = explained_in(all.substr(begin, all.find("\n## ", begin + 1) - begin));
  const auto expect_named = [&](const std::set<std::string>& words, const std::string& place, const std::string& what) {
    EXPECT_FALSE(words.empty()) << what;
    for (const std::string& word : words) {
      // `units` is explained by `units.*.at`, `deploy` by `deploy UNIT FRONT`.
      const auto ends_with = [&](const char* after) { return place.find("`" + word + after) != std::string::npos; };
      EXPECT_TRUE(ends_with("`") || ends_with(".") || ends_with(" "))
          << what << " " << word << " is not explained in games/" << folder << "/README.md";
    }
  };
  expect_named(spoken.places, explained.members, "the field");
  expect_named(spoken.values, explained.values, "the value");
  expect_named(spoken.actions, explained.actions, "the action");
  expect_named(spoken.events, explained.events, "the event");
}

TEST(WhatASeatSees, IsExplainedForCompanyCommander) {
  Spoken spoken;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) listen_to_game("company-commander", "normandy", {}, seed, spoken);
  listen_to_game("company-commander", "normandy", {{"commander_option", "true"}}, 4, spoken);
  listen_to_game("company-commander", "river-crossing", {}, 5, spoken);
  expect_explained("company_commander", spoken);
}

TEST(WhatASeatSees, IsExplainedForCompanyLeader) {
  Spoken spoken;
  for (const char* scenario : {"standard", "teams", "escort"}) listen_to_game("company-leader", scenario, {}, 1, spoken);
  listen_to_game("company-leader", "standard", {{"army", "free"}}, 2, spoken);
  expect_explained("company_leader", spoken);
}

}  // namespace
}  // namespace baton
