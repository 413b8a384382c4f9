// baton arena: what it counts, that it can go on, and what it says when something is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <future>
#include <set>
#include <thread>

#include "app/contest.h"
#include "app/program_run.h"
#include "app/resolved_player.h"
#include "app/run_file.h"
#include "app/strength.h"

namespace baton::app {
namespace {

using testing::HasSubstr;

const std::string game = "company-commander";

TEST(Arena, CountsPairedGames) {
  const auto json = run_baton({"arena", game, "--a", "greedy", "--b", "random", "--games", "41", "--json"}).json();
  EXPECT_EQ(json["games"], 42) << "rounded up to whole pairs";
  EXPECT_GT(json["score"].get<double>(), 0.9);
  EXPECT_LE(json["interval"][0], json["score"]);
  EXPECT_GE(json["interval"][1], json["score"]);
  EXPECT_GT(json["elo"].get<double>(), 300);
  EXPECT_EQ(json["won"].get<int>() + json["drawn"].get<int>() + json["lost"].get<int>(), 42);
  EXPECT_EQ(json["score_by_seat"].size(), 2u);
}

// As at a table: the kinds that sit there meet, and change places all the same.
TEST(Arena, TakesPlayersBySeatToo) {
  const auto by_seats = [](const Words& seats, const Words& more) {
    Words words = {"arena", "--games", "4", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    for (const std::string& seat : seats) words.insert(words.end(), {"--seat", seat});
    return run_baton(words);
  };
  const auto lettered = run_baton({"arena", game, "--a", "greedy", "--b", "random", "--games", "4", "--json"}).json();
  EXPECT_EQ(without_times(by_seats({"german=random", "1=greedy"}, {game}).json()), without_times(lettered));
  const auto three = by_seats({"1=random", "2=greedy", "3=random"}, {"company-leader", "--scenario", "three"}).json();
  EXPECT_EQ(three["a"], "greedy") << "who sits alone";
  EXPECT_EQ(three["b"], "random");
  EXPECT_EQ(three["games"], 6) << "everybody had every seat";
  const auto in_teams = [&](const Words& seats) { return by_seats(seats, {"company-leader", "--scenario", "teams"}).err; };
  EXPECT_THAT(in_teams({"1=greedy", "2=random", "3=greedy", "4=random"}), HasSubstr("give all seats but one the same player"));
  EXPECT_THAT(in_teams({"1=greedy", "2=random", "3=greedy", "4=recruit"}), HasSubstr("in a game of 4 seats"));
  EXPECT_THAT(by_seats({"1=greedy"}, {game}).err, HasSubstr("nobody sits at \"german\""));
  EXPECT_THAT(by_seats({"1=greedy", "2=greedy"}, {game}).err, HasSubstr("two players or more"));
  EXPECT_THAT(by_seats({"1=greedy", "3=random"}, {game}).err, HasSubstr("there is no seat \"3\"; known are 1 (us), 2 (german)"));
  EXPECT_THAT(by_seats({"1=greedy", "2=random"}, {game, "--a", "greedy"}).err, HasSubstr("or one for each seat with --seat"));
}

TEST(Arena, TextAndJsonTellTheSameOfWhoWonEverything) {
  const Words words = {"arena", game, "--a", "greedy", "--b", "random", "--games", "10"},
              other = {"arena", game, "--a", "random", "--b", "greedy", "--games", "10"};
  Words in_json = words;
  in_json.push_back("--json");
  const auto json = run_baton(in_json).json();
  ASSERT_EQ(json["won"], 10);
  EXPECT_NEAR(json["elo"].get<double>(), 511.5, 0.05);
  EXPECT_TRUE(json["elo_interval"][1].is_null());
  EXPECT_NEAR(json["elo_interval"][0].get<double>(), 166.2, 0.05);
  EXPECT_THAT(run_baton(words).out, HasSubstr("Elo more than +512 (+166 to +∞)"));
  EXPECT_THAT(run_baton(other).out, HasSubstr("Elo less than −512 (−∞ to −166)"));
}

// A fraction of what a captain thinks is enough to see that thinking pays. The seed alone decides what is scored.
TEST(Arena, WhoThinksBeatsGreed) {
  for (const char* id : {"company-commander", "company-leader"}) {
    const bool light = id == game;
    const auto json = run_baton({"arena", id, "--a", light ? "captain:iterations=400" : "captain:iterations=100", "--b", "greedy",
                                 "--games", light ? "24" : "8", "--json"})
                          .json();
    EXPECT_GT(json["score"].get<double>(), 0.6) << id;
  }
}

// With the seats swapped and the same dice, a player who meets himself scores exactly one half.
TEST(Arena, APlayerAgainstHimselfScoresHalf) {
  const auto json = run_baton({"arena", game, "--a", "greedy", "--b", "greedy", "--games", "60", "--json"}).json();
  EXPECT_EQ(json["score"], 0.5);
}

TEST(Arena, DependsOnTheSeedAndNotOnThreads) {
  const auto with = [](const std::string& threads, const std::string& seed) {
    return without_times(run_baton({"arena", game, "--a", "recruit:iterations=50", "--b", "greedy", "--games", "8", "--json", "--threads",
                                    threads, "--seed", seed})
                             .json());
  };
  const auto one = with("1", "3");
  EXPECT_EQ(one, with("3", "3"));
  EXPECT_NE(one, with("1", "4"));
}

TEST(Arena, TheSequentialTestStopsIt) {
  const Words words = {"arena", game, "--a", "greedy", "--b", "random", "--sprt", "0,50", "--json", "--threads"};
  Words one = words, three = words;
  one.push_back("1");
  three.push_back("3");
  const auto json = run_baton(one).json();
  EXPECT_EQ(json["sprt"]["verdict"], "accepted");
  EXPECT_LT(json["games"].get<int>(), 500);
  EXPECT_EQ(without_times(json), without_times(run_baton(three).json()));
}

TEST(Arena, TheVerdictOfTheSequentialTestIsInWords) {
  const auto words_of = [](const std::string& a, const std::string& b, const std::string& games) {
    return run_baton({"arena", game, "--a", a, "--b", b, "--sprt", "-10,50", "--games", games}).out;
  };
  EXPECT_THAT(words_of("greedy", "random", "1000"), HasSubstr("sequential test: nearer to Elo 50 than to −10 (ratio +"));
  EXPECT_THAT(words_of("random", "greedy", "1000"), HasSubstr("sequential test: nearer to Elo −10 than to 50 (ratio −"));
  EXPECT_THAT(words_of("greedy", "greedy", "2"), HasSubstr("not clear yet whether Elo −10 or 50 is nearer"));
}

TEST(Arena, TellsWhatCameFromTheFile) {
  TemporaryFolder folder;
  const auto first_line = [&](const std::string& games) {
    const std::string out =
        run_baton({"arena", game, "--a", "greedy", "--b", "random", "--games", games, "--file", folder.file("a.jsonl")}).out;
    return out.substr(0, out.find('\n'));
  };
  EXPECT_THAT(first_line("4"), HasSubstr("4 games in "));
  EXPECT_THAT(first_line("6"), HasSubstr("6 games, 4 of them from the file; this run took "));
  EXPECT_THAT(first_line("6"), testing::EndsWith("6 games, all from the file"));
}

// Nobody can win in one turn; who is out is still out.
TEST(Arena, WhoeverSharesThePointHasDrawn) {
  const auto json = run_baton({"arena", "company-leader", "--scenario", "three", "--option", "turn_limit=1", "--a", "random", "--b",
                               "random", "--games", "12", "--json"})
                        .json();
  EXPECT_GT(json["drawn"], 0);
  EXPECT_EQ(json["won"].get<int>() + json["drawn"].get<int>() + json["lost"].get<int>(), json["games"].get<int>());
}

// Two games of the first two players, and then it was stopped.
TEST(Arena, PairsThatHaveNotPlayedYetHaveNoScore) {
  TemporaryFolder folder;
  const std::string file = folder.file("a.jsonl"), page = folder.file("a.html");
  const std::string begun = folder.file("begun");
  setenv("BATON_TEST_BEGUN", begun.c_str(), 1);
  const Words words = {"arena",   game, "--player",  "greedy", "--player", "random", "--player", "exec:>$BATON_TEST_BEGUN; sleep 1000",
                       "--games", "2",  "--threads", "1",      "--file",   file,     "--html",   page};
  const auto stopped = [&](const Words& more) {
    Words all = words;
    all.insert(all.end(), more.begin(), more.end());
    std::filesystem::remove(begun);
    auto run = std::async(std::launch::async, [&] { return run_baton(all); });
    while (!std::filesystem::exists(begun)) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    kill(getpid(), SIGTERM);
    return run.get();
  };
  const std::string text = stopped({}).out;
  EXPECT_THAT(text, HasSubstr("random against exec:>$BATON_TEST_BEGUN; sleep 1000: not played yet\n"));
  EXPECT_THAT(text, testing::Not(HasSubstr("50.0 %")));
  EXPECT_THAT(text, testing::ContainsRegex("\n 3 exec:>.BATON_TEST_BEGUN; sleep 1000 +–\n")) << "no Elo and no score";
  EXPECT_THAT(text_of_file(page), HasSubstr("not played yet"));
  const auto json = stopped({"--json"}).json();
  EXPECT_EQ(json["pairings"][0]["games"], 2);
  for (const char* name : {"score", "elo"}) {
    EXPECT_FALSE(json["pairings"][0][name].is_null());
    EXPECT_TRUE(json["pairings"][1][name].is_null()) << json["pairings"][1];
  }
  EXPECT_TRUE(json["pairings"][1]["score_by_seat"]["us"].is_null());
  EXPECT_TRUE(json["players"][2]["elo"].is_null());
  const auto of_two = ratings(2, {{0, 1, json["pairings"][0]["score"].get<double>() * 2, 2}});
  EXPECT_NEAR(json["players"][0]["elo_half_interval"].get<double>(), of_two[0].half_interval, 0.1)
      << "whoever has not played makes nobody less certain";
}

TEST(Arena, TheTableHasRoomForNames) {
  std::string umlauts;
  for (int i = 0; i < 80; ++i) umlauts += "ä";
  const std::string program = "exec:exit 3 # " + umlauts;
  const auto run = run_baton({"arena", game, "--player", "recruit:iterations=2,exploration=0.5,turns=1", "--player",
                              "recruit:iterations=2,exploration=0.5,turns=2", "--player", program, "--games", "2"});
  const std::string table = run.out.substr(run.out.find("Table"));
  EXPECT_THAT(table, HasSubstr("recruit:iterations=2,exploration=0.5,turns=1 "));
  EXPECT_THAT(table, HasSubstr("recruit:iterations=2,exploration=0.5,turns=2 "));
  EXPECT_THAT(table, HasSubstr(program.substr(0, 14 + 2 * 46) + "… ")) << "sixty characters, and none cut in two";
}

TEST(Arena, GoesOnWhereItStopped) {
  TemporaryFolder folder;
  const std::string file = folder.file("arena.jsonl");
  const auto with = [&](const std::string& games) {
    return Words{"arena", game, "--a", "greedy", "--b", "random", "--games", games, "--json", "--file", file};
  };
  EXPECT_EQ(run_baton(with("6")).code, 0);
  std::string kept = text_of_file(file);
  EXPECT_EQ(std::count(kept.begin(), kept.end(), '\n'), 7);
  // A crash cut the last line.
  folder.with("arena.jsonl", kept.substr(0, kept.size() - 9));
  const auto json = run_baton(with("10")).json();
  EXPECT_EQ(json["games"], 10);
  kept = text_of_file(file);
  EXPECT_EQ(std::count(kept.begin(), kept.end(), '\n'), 11);
  EXPECT_EQ(without_times(json),
            without_times(run_baton({"arena", game, "--a", "greedy", "--b", "random", "--games", "10", "--json"}).json()));
  const auto other = run_baton({"arena", game, "--a", "greedy", "--b", "greedy", "--file", file});
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("name another file"));
  const auto strange = run_baton({"arena", game, "--a", "greedy", "--b", "greedy", "--file", folder.with("x", "hello\n")});
  EXPECT_THAT(strange.err, HasSubstr("not the file of an arena"));
}

TEST(Arena, KeepsItsHandsOffStrangeFiles) {
  TemporaryFolder folder;
  for (const std::string text : {"my important notes", "{\"format\":\"baton-quest\"", "{}\n"}) {
    const std::string file = folder.with("notes.txt", text);
    for (const Words& words :
         {Words{"arena", game, "--a", "greedy", "--b", "random", "--games", "2", "--file", file}, Words{"tune", game, "--file", file}}) {
      const auto refused = run_baton(words);
      EXPECT_EQ(refused.code, 2);
      EXPECT_THAT(refused.err, HasSubstr("name another one"));
      EXPECT_EQ(text_of_file(file), text);
    }
  }
  const auto nowhere =
      run_baton({"arena", game, "--a", "greedy", "--b", "random", "--games", "1000000", "--html", folder.file("no/such/folder.html")});
  EXPECT_EQ(nowhere.code, 2) << "at once, not after a million games";
  EXPECT_THAT(nowhere.err, HasSubstr("cannot be written"));
}

TEST(Arena, AProgramsNonsenseIsKeptAsText) {
  TemporaryFolder folder;
  const Words words = {"arena",
                       game,
                       "--a",
                       "exec:read -r a; read -r b; printf '\\377\\n'; cat > /dev/null",
                       "--b",
                       "random",
                       "--games",
                       "4",
                       "--threads",
                       "2",
                       "--json",
                       "--file",
                       folder.file("a.jsonl")};
  for (int run = 0; run < 2; ++run) {
    const auto json = run_baton(words).json();
    EXPECT_EQ(json["forfeits"], 4);
    EXPECT_EQ(json["forfeit_messages"].size(), 3u);
    EXPECT_THAT(json["forfeit_messages"][0].get<std::string>(), HasSubstr("not a JSON object"));
    EXPECT_THAT(json["forfeit_messages"][0].get<std::string>(), testing::StartsWith("the program \"read")) << "it is named once";
  }
}

TEST(Arena, AProgramsWordsReachReportAndScreenAsText) {
  std::string umlauts = "x";
  for (int i = 0; i < 90; ++i) umlauts += "ä";
  for (const std::string& answer :
       {std::string(R"({"action":"\u001b[2Jfoo"})"), std::string(R"({"do":"\u001b]0;x\u0007"})"), R"({"action":")" + umlauts + R"("})"}) {
    Words words = {"arena", game,     "--a",     "exec:read -r a; read -r b; printf '%s\\n' '" + answer + "'; cat > /dev/null",
                   "--b",   "random", "--games", "2"};
    const auto shown = run_baton(words);
    EXPECT_EQ(shown.code, 0) << shown.err;
    EXPECT_EQ(shown.out.find_first_of("\033\007"), std::string::npos) << shown.out;
    words.push_back("--json");
    EXPECT_EQ(run_baton(words).json()["forfeits"], 2);
  }
}

// Equals win a third of the games of three: nobody is the weaker for it.
TEST(Arena, EloIsAgainstTheFairShare) {
  const Words three = {"arena", "company-leader", "--scenario", "three", "--a", "greedy", "--b", "greedy", "--games", "30"};
  Words words = three;
  words.insert(words.end(), {"--json", "--sprt", "-50,50"});
  const auto json = run_baton(words).json();
  EXPECT_NEAR(json["score"].get<double>(), 1.0 / 3, 1e-5);
  EXPECT_NEAR(json["elo"].get<double>(), 0, 0.2);
  EXPECT_NEAR(json["sprt"]["log_likelihood_ratio"].get<double>(), 0, 1.5);
  EXPECT_THAT(run_baton(three).out, HasSubstr("equals would score 33.3 %"));
  EXPECT_THAT(
      run_baton({"arena", "company-leader", "--scenario", "three", "--player", "random", "--player", "greedy", "--player", "greedy"}).err,
      HasSubstr("two sides"));
  // Two seats of one side do not make it weigh twice.
  const Words uneven = {"arena", "company-leader", "--scenario", "two-against-one", "--a", "greedy", "--b", "greedy", "--games", "30"};
  Words in_json = uneven;
  in_json.insert(in_json.end(), {"--json", "--sprt", "-50,50"});
  const auto of_uneven = run_baton(in_json).json();
  EXPECT_EQ(of_uneven["games"], 30);
  EXPECT_EQ(of_uneven["score"], 0.5);
  EXPECT_EQ(of_uneven["elo"], 0.0);
  EXPECT_NEAR(of_uneven["sprt"]["log_likelihood_ratio"].get<double>(), 0, 1e-9);
  EXPECT_THAT(run_baton(uneven).out, HasSubstr("each side counts alike"));
}

TEST(Arena, ATeamWinsTogether) {
  TemporaryFolder folder;
  const std::string file = folder.file("teams.jsonl");
  EXPECT_EQ(
      run_baton({"arena", "company-leader", "--scenario", "teams", "--a", "greedy", "--b", "random", "--games", "4", "--file", file}).code,
      0);
  std::istringstream lines(text_of_file(file));
  std::string line;
  std::getline(lines, line);
  int won = 0;
  while (std::getline(lines, line)) {
    const auto winners = nlohmann::json::parse(line)["winners"];
    EXPECT_EQ(winners.size() % 2, 0u) << line;
    won += !winners.empty();
  }
  EXPECT_GT(won, 0);
}

TEST(Arena, StopsInOrderWhenItIsTold) {
  TemporaryFolder folder;
  const std::string file = folder.file("arena.jsonl");
  const Words words = {"arena", game, "--a", "captain", "--b", "exec:sleep 1000", "--games", "400", "--threads", "2", "--file", file};
  const Words brief = {"arena",   game,     "--a",       "greedy", "--b",    "random",
                       "--games", "100000", "--threads", "2",      "--file", folder.file("brief.jsonl")};
  for (const Words& one : {words, brief}) {
    auto run = std::async(std::launch::async, [&] { return run_baton(one); });
    while (!std::filesystem::exists(one.back()) || text_of_file(one.back()).find('\n') == std::string::npos)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    kill(getpid(), SIGTERM);
    const auto stopped = run.get();
    EXPECT_EQ(stopped.code, 1);
    EXPECT_THAT(stopped.err, HasSubstr("The same command goes on from there."));
    EXPECT_EQ(text_of_file(one.back()).back(), '\n');
  }
}

TEST(Arena, TwoRunsDoNotShareAFile) {
  TemporaryFolder folder;
  for (const Words& words :
       {Words{"arena", game, "--a", "greedy", "--b", "random", "--games", "2"},
        Words{"tune", game, "--player", "recruit:iterations=4", "--games", "2", "--trials", "1", "--out", folder.file("weights.toml")}}) {
    Words with_file = words;
    with_file.insert(with_file.end(), {"--file", folder.file(words[0])});
    {
      RunFile other_run;
      ASSERT_TRUE(other_run.open(folder.file(words[0]), {{"format", "another"}}, "another run",
                                 [](const RunFile::Line&) { return Expected<void>{}; }));
      const auto refused = run_baton(with_file);
      EXPECT_NE(refused.code, 0);
      EXPECT_THAT(refused.err, HasSubstr("another run is writing to this file"));
      EXPECT_EQ(text_of_file(folder.file(words[0])), "{\"format\":\"another\"}\n");
    }
    EXPECT_THAT(run_baton(with_file).err, HasSubstr("name another one")) << "the other run has ended, but its file is no arena's";
  }
}

// A contest without a terminal.
Contest contest_of(const std::vector<std::string>& kinds, std::int64_t groups) {
  Contest contest;
  GameChoice choice;
  choice.game = game;
  contest.game = *chosen_game(choice);
  for (const std::string& kind : kinds) contest.players.push_back(*read_player_kind(kind));
  contest.groups = groups;
  return contest;
}

std::int64_t lines_of(const std::string& file) {
  const std::string text = text_of_file(file);
  return std::count(text.begin(), text.end(), '\n');
}

TEST(Contest, IsBrokenOffOnlyWhenSomethingIsLeft) {
  for (const std::int64_t stop_after : {20, 8}) {
    Contest contest = contest_of({"greedy", "random"}, 10);
    std::atomic<bool> stopped = false;
    contest.progress = [&](std::uint64_t done) { stopped = stopped || static_cast<std::int64_t>(done) >= stop_after; };
    contest.stopped = [&] { return stopped.load(); };
    const auto played = run_contest(contest);
    ASSERT_TRUE(played);
    EXPECT_EQ(played->broken_off, stop_after < 20);
    EXPECT_EQ(static_cast<std::int64_t>(played->games.size()), stop_after);
  }
}

// One worker fails while another has hours to think.
TEST(Contest, AFailureEndsEverythingAtOnceAndLeavesTheFileWhole) {
  TemporaryFolder folder;
  Contest contest = contest_of({"greedy", "random", "general:iterations=1000000000"}, 10);
  contest.threads = 3;
  contest.file = folder.file("games.jsonl");
  contest.enough = [](std::size_t, std::size_t, const Score&) -> bool { throw std::runtime_error("out of ideas"); };
  const auto begun = std::chrono::steady_clock::now();
  const auto played = run_contest(contest);
  ASSERT_FALSE(played);
  EXPECT_THAT(played.error().text(), HasSubstr("out of ideas"));
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(20));
  EXPECT_EQ(lines_of(contest.file), 3) << "the head and the two games of the group that was judged";
}

TEST(Arena, TwoThingsDoNotGoIntoOneFile) {
  TemporaryFolder folder;
  const std::string file = folder.file("x"), link = folder.file("link");
  const Words arena = {"arena", game, "--a", "greedy", "--b", "random", "--games", "2"},
              tune = {"tune", game, "--player", "recruit:iterations=4", "--games", "2", "--trials", "1"};
  for (const bool there : {false, true}) {
    if (there) {
      folder.with("x", "something dear");
      std::filesystem::create_hard_link(file, link);
    }
    for (const std::string& other : there ? std::vector{file, folder.file("./x"), link} : std::vector{file, folder.file("./x")}) {
      Words with_page = arena, with_weights = tune;
      with_page.insert(with_page.end(), {"--file", file, "--html", other});
      with_weights.insert(with_weights.end(), {"--file", file, "--out", other});
      for (const Words& words : {with_page, with_weights}) {
        const auto refused = run_baton(words);
        EXPECT_EQ(refused.code, 2);
        EXPECT_THAT(refused.err, HasSubstr("name the same file"));
      }
    }
    EXPECT_EQ(text_of_file(file), there ? "something dear" : "");
    EXPECT_EQ(std::filesystem::exists(file), there);
  }
}

TEST(Arena, ARefusedRunLeavesNothingBehind) {
  TemporaryFolder folder;
  const std::string page = folder.file("page.html");
  EXPECT_EQ(
      run_baton({"arena", game, "--a", "greedy", "--b", "random", "--games", "2", "--file", folder.with("x", "hello\n"), "--html", page})
          .code,
      2);
  EXPECT_FALSE(std::filesystem::exists(page));
}

// Hours for everybody, but for those who were given little.
TEST(Arena, TimeForAllLeavesWhatWasTypedForOne) {
  TemporaryFolder folder;
  const std::string file = folder.file("a.jsonl");
  const auto run = run_baton(
      {"arena", game, "--a", "captain:iterations=4", "--b", "captain:time=1", "--games", "2", "--time", "3600000", "--file", file});
  EXPECT_EQ(run.code, 0) << run.err;
  const auto head = nlohmann::json::parse(text_of_file(file).substr(0, text_of_file(file).find('\n')));
  EXPECT_EQ(head["players"][0]["iterations"], 4);
  EXPECT_EQ(head["players"][0]["time"], 0);
  EXPECT_EQ(head["players"][1]["time"], 1);
  // Levels and programs get it.
  const std::string other = folder.file("b.jsonl");
  run_baton({"arena", game, "--a", "captain", "--b", "exec:exit 3", "--games", "2", "--time", "1", "--file", other});
  const auto with_time = nlohmann::json::parse(text_of_file(other).substr(0, text_of_file(other).find('\n')));
  for (const auto& player : with_time["players"]) EXPECT_EQ(player["time"], 1) << player;
  EXPECT_EQ(with_time["players"][0]["iterations"], 0) << "all the time there is";
}

// The name of a level says little: its settings and the weights may have changed since.
TEST(Arena, GoesOnOnlyWithTheSamePlayersAndWeights) {
  TemporaryFolder folder;
  const std::string file = folder.file("a.jsonl");
  const Words words = {"arena", game, "--a", "recruit", "--b", "random", "--games", "2", "--file", file};
  ASSERT_EQ(run_baton(words).code, 0);
  const std::string text = text_of_file(file), head_text = text.substr(0, text.find('\n'));
  auto head = nlohmann::json::parse(head_text);
  EXPECT_EQ(head["players"][0]["iterations"], budget_in(game, *read_player_kind("recruit"), Counting::iterations).iterations);
  EXPECT_FALSE(head["play"].get<std::string>().empty());
  for (const char* changed :
       {"/players/0/turns", "/players/0/overlooks", "/players/0/prudence", "/players/0/exploration", "/players/0/iterations", "/play"}) {
    auto other = head;
    ASSERT_TRUE(other.contains(nlohmann::json::json_pointer(changed))) << changed;
    other[nlohmann::json::json_pointer(changed)] = 12345;
    folder.with("a.jsonl", other.dump() + text.substr(text.find('\n')));
    EXPECT_THAT(run_baton(words).err, HasSubstr("name another file")) << changed;
  }
}

// How far levels look ahead is part of what they are, where the game bounds it.
TEST(Arena, TheFileNamesTheBoundOfForesight) {
  const PlayerKind captain = *read_player_kind("captain");
  EXPECT_EQ(resolved_player("company-leader", captain, Counting::iterations)["rounds"], 2);
  EXPECT_FALSE(resolved_player("company-leader", *read_player_kind("captain:turns=8"), Counting::iterations).contains("rounds"));
  EXPECT_FALSE(resolved_player(game, captain, Counting::iterations).contains("rounds"));
}

TEST(Arena, TheFingerprintOfPlayIsThatOfTheScenario) {
  std::set<std::string> all;
  for (const char* scenario : {"normandy", "river-crossing"}) {
    GameChoice choice;
    choice.game = game;
    choice.scenario = scenario;
    const auto chosen = chosen_game(choice);
    ASSERT_TRUE(chosen);
    const std::string one = play_fingerprint(*chosen);
    EXPECT_EQ(one, play_fingerprint(*chosen));
    all.insert(one);
  }
  EXPECT_EQ(all.size(), 2u);
}

TEST(Arena, SeveralPlayersMeetAndArePutInOrder) {
  TemporaryFolder folder;
  const Words words = {"arena",    game,     "--player", "random",
                       "--player", "greedy", "--player", "recruit:iterations=40",
                       "--games",  "6",      "--html",   folder.file("a.html")};
  const auto run = run_baton(words);
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("Bradley"));
  const std::string page = text_of_file(folder.file("a.html"));
  for (const char* part : {"Strength against thinking", "Seat edge", "Game length", "<svg", "</html>"}) EXPECT_THAT(page, HasSubstr(part));
  EXPECT_THAT(page, testing::Not(HasSubstr("http"))) << "nothing is loaded from elsewhere";
  Words json_words = words;
  json_words.push_back("--json");
  const auto json = run_baton(json_words).json();
  EXPECT_EQ(json["players"].size(), 3u);
  EXPECT_EQ(json["pairings"].size(), 3u);
  EXPECT_LT(json["players"][0]["elo"], json["players"][1]["elo"]);
}

TEST(Arena, SaysWhatIsWrong) {
  const auto wrong = [](Words more) {
    Words words = {"arena", game};
    words.insert(words.end(), more.begin(), more.end());
    const auto run = run_baton(words);
    EXPECT_EQ(run.code, 2);
    return run.err;
  };
  EXPECT_THAT(wrong({}), HasSubstr("--a and --b"));
  EXPECT_THAT(wrong({"--a", "greedy"}), HasSubstr("--a and --b"));
  EXPECT_THAT(wrong({"--a", "greedy", "--b", "major"}), HasSubstr("not \"major\""));
  EXPECT_THAT(wrong({"--a", "greedy", "--b", "human"}), HasSubstr("not \"human\""));
  EXPECT_THAT(wrong({"--a", "greedy", "--b", "random", "--sprt", "20,0"}), HasSubstr("the smaller one first"));
  EXPECT_THAT(wrong({"--a", "greedy", "--b", "random", "--time", "soon"}), HasSubstr("--time"));
  EXPECT_THAT(wrong({"--player", "greedy"}), HasSubstr("two players or more"));
  EXPECT_THAT(wrong({"--a", "captain:threads=64", "--b", "greedy", "--threads", "256"}),
              HasSubstr("--threads 256 with \"captain:threads=64\" would be 16384 threads"));
}

TEST(Hint, SaysWhatTheComputerWouldDoInEveryLanguage) {
  for (const auto& [locale, words] : {std::pair("en", "to win, as far as I see"), {"de", "Siegchance"}, {"ja", "勝つ見込み"}}) {
    const auto run = run_baton({"play", game, "--seed", "4", "--plain", "--locale", locale}, "hint\nanalyse 1\nanalyse 0\nquit\ny\n");
    EXPECT_EQ(run.code, 0);
    const auto first = run.out.find(words);
    EXPECT_NE(first, std::string::npos) << run.out;
    EXPECT_NE(run.out.find(words, first + 1), std::string::npos) << "the analysis compares several actions";
    EXPECT_THAT(run.out, testing::Not(HasSubstr("["))) << "a text is missing";
    EXPECT_THAT(run.out, HasSubstr("600")) << "an unfit number of seconds is explained";
  }
}

}  // namespace
}  // namespace baton::app
