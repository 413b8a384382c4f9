// baton arena: how strong computer players are against each other.
#include "app/arena.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/display.h"
#include "app/figures.h"
#include "app/progress.h"
#include "app/resolved_player.h"
#include "app/stop_signals.h"
#include "app/thinking.h"
#include "app/whole_file.h"
#include "core/utf8.h"

namespace baton::app {
namespace {

using std::chrono::milliseconds;

struct ArenaArguments {
  GameChoice choice;
  std::string a, b, games, sequential, time, threads, seed = "1", file, page;
  std::vector<std::string> players, seats;
  bool as_json = false;
};

Expected<std::pair<double, double>> two_elos(const std::string& text) {
  const auto comma = text.find(',');
  try {
    std::size_t first_end = 0, second_end = 0;
    if (comma != std::string::npos) {
      const double low = std::stod(text.substr(0, comma), &first_end), high = std::stod(text.substr(comma + 1), &second_end);
      const bool whole = first_end == comma && second_end == text.size() - comma - 1;
      if (whole && low < high && std::abs(low) <= 1000 && std::abs(high) <= 1000) return std::pair(low, high);
    }
  } catch (const std::logic_error&) {
  }
  return problem("", "--sprt needs two Elo differences, the smaller one first, such as 0,20, not " + in_quotes(text) + ".");
}

// Who takes part: two by --a and --b, several by --player, or whoever sits somewhere by --seat.
Expected<std::vector<std::string>> kinds_from(const ArenaArguments& arguments, const std::vector<std::string>& seats) {
  const bool by_letters = !arguments.a.empty() && !arguments.b.empty();
  const bool half = arguments.a.empty() != arguments.b.empty();
  if (half || int{by_letters} + int{!arguments.players.empty()} + int{!arguments.seats.empty()} != 1) {
    return problem("",
                   "name the players in one way: two with --a and --b, several with --player, such as --player captain --player greedy, "
                   "or one for each seat with --seat, such as --seat 1=captain --seat 2=greedy.");
  }
  if (by_letters) return std::vector{arguments.a, arguments.b};
  if (arguments.seats.empty()) return arguments.players;
  std::vector<std::string> sitting(seats.size()), kinds;
  if (auto assigned = assign_seats(arguments.seats, seats, Sitters::minds_and_programs, sitting); !assigned)
    return tl::make_unexpected(assigned.error());
  for (std::size_t i = 0; i < seats.size(); ++i) {
    if (sitting[i].empty()) return problem("", "nobody sits at " + in_quotes(seats[i]) + "; give every seat a player with --seat.");
    if (std::find(kinds.begin(), kinds.end(), sitting[i]) == kinds.end()) kinds.push_back(sitting[i]);
  }
  if (seats.size() == 2 || kinds.size() < 2) return kinds;
  // Whoever sits alone plays --a, the rest --b.
  const auto is_alone = [&](const std::string& kind) { return std::count(sitting.begin(), sitting.end(), kind) == 1; };
  if (kinds.size() > 2 || std::none_of(kinds.begin(), kinds.end(), is_alone)) {
    return problem("", fmt::format("in a game of {} seats one player meets another who has all the other seats; give all seats but one "
                                   "the same player.",
                                   seats.size()));
  }
  if (!is_alone(kinds[0])) std::swap(kinds[0], kinds[1]);
  return kinds;
}

Expected<Contest> contest_from(const ArenaArguments& arguments) {
  Contest contest;
  auto chosen = chosen_game(arguments.choice);
  if (!chosen) return tl::make_unexpected(chosen.error());
  contest.game = std::move(*chosen);
  const auto kinds = kinds_from(arguments, contest.game.seats);
  if (!kinds) return tl::make_unexpected(kinds.error());
  if (kinds->size() < 2)
    return problem("", "an arena needs two players or more; to let one play against itself, name it with --a and with --b.");
  for (const std::string& kind : *kinds) {
    const auto allowed = allowed_kind(kind, Sitters::minds_and_programs);
    if (!allowed) return tl::make_unexpected(allowed.error());
    contest.players.push_back(*read_player_kind(kind));
  }
  if (!arguments.time.empty()) {
    const auto time = whole_number("--time", arguments.time, 1, 3'600'000);
    if (!time) return tl::make_unexpected(time.error());
    contest.counting = Counting::time;
    for (PlayerKind& kind : contest.players) {
      // What was typed for one player holds: "captain:iterations=4", "captain:time=50".
      if (!kind.level && kind.type != PlayerKind::Type::program) continue;
      kind.by_time.time = milliseconds(*time);
      kind.by_time.iterations = 0;
    }
  }
  const auto seed = whole_number("--seed", arguments.seed, 0, UINT64_MAX);
  if (!seed) return tl::make_unexpected(seed.error());
  contest.seed = *seed;
  const auto threads =
      whole_number("--threads", arguments.threads.empty() ? std::to_string(standard_threads()) : arguments.threads, 1, 256);
  if (!threads) return tl::make_unexpected(threads.error());
  contest.threads = static_cast<unsigned>(*threads);
  if (const auto few = few_enough_threads(*threads, contest.players); !few) return tl::make_unexpected(few.error());
  const auto games =
      whole_number("--games", arguments.games.empty() ? (arguments.sequential.empty() ? "100" : "20000") : arguments.games, 1, 1'000'000);
  if (!games) return tl::make_unexpected(games.error());
  if (contest.game.sides > 2 && kinds->size() > 2) {
    return problem("", "a table of several players needs a game of two sides; with more, let two players meet with --a and --b.");
  }
  const auto seats = contest.game.seats.size();
  contest.groups = static_cast<std::int64_t>((*games + seats - 1) / seats);
  if (same_file(arguments.file, arguments.page))
    return problem("", "--file and --html name the same file, and the page would take the place of the games; name two.");
  contest.file = arguments.file;
  return contest;
}

constexpr int most_messages = 3;  // about forfeits

// JSON knows no infinity: an interval that reaches it is open there.
Json elo_json(std::optional<double> elo) { return elo ? Json(rounded(*elo, 10)) : Json(nullptr); }
Json share_json(std::optional<double> share) { return share ? Json(rounded(*share)) : Json(nullptr); }

std::string verdict_of(const ArenaReport& report, const Score& score) {
  if (!report.sequential) return {};
  const double ratio = score.log_likelihood_ratio(report.sequential->first, report.sequential->second, report.contest.fair_share());
  return ratio >= sequential_bound ? "accepted" : ratio <= -sequential_bound ? "rejected" : "open";
}

Meeting meeting_of(const ArenaReport& report, std::size_t first, std::size_t second) {
  const auto seats = report.contest.game.seats.size();
  Meeting met;
  met.first = first;
  met.second = second;
  met.score = score_of(report.games, first, second, report.contest.game);
  std::vector<double> points(seats), games(seats);
  std::map<std::int64_t, std::pair<ToldChances, ToldChances>> told;  // by group
  for (const ContestGame& game : report.games) {
    if (game.first != first || game.second != second) continue;
    (game.points == 1 ? met.won : game.points == 0 ? met.lost : met.drawn) += 1;  // whoever shares the point has drawn, with however many
    if (!game.forfeit.empty() && ++met.forfeits <= most_messages) met.messages.push_back(game.forfeit);
    met.thinking[0].add(game.first_thinking);
    met.thinking[1].add(game.second_thinking);
    auto& [first_told, second_told] = told[game.group];
    first_told.add(game.first_told);
    second_told.add(game.second_told);
    ++met.reasons[game.reason];
    ++met.lengths[game.decisions];
    points[game.seat] += game.points;
    games[game.seat] += 1;
  }
  for (const auto& [group, both] : told) {
    met.told[0].push_back(both.first);
    met.told[1].push_back(both.second);
  }
  for (std::size_t i = 0; i < seats; ++i) met.share_by_seat.push_back(games[i] > 0 ? std::optional(points[i] / games[i]) : std::nullopt);
  return met;
}

Json meeting_json(const ArenaReport& report, const Meeting& met) {
  const Contest& contest = report.contest;
  const Score& score = met.score;
  const Interval interval = score.interval();
  Json json = {{"a", contest.players[met.first].text}, {"b", contest.players[met.second].text}, {"games", score.games()}};
  json["score"] = share_json(met.was_played() ? std::optional(score.share()) : std::nullopt);
  json["interval"] = {rounded(interval.low), rounded(interval.high)};
  const double fair = contest.fair_share();
  json["fair_share"] = rounded(fair);
  const auto elo = elo_of(score, fair);
  json["elo"] = elo_json(elo ? std::optional(elo->elo) : std::nullopt);
  json["elo_interval"] = {elo_json(elo ? elo->low : std::nullopt), elo_json(elo ? elo->high : std::nullopt)};
  json["won"] = met.won;
  json["drawn"] = met.drawn;
  json["lost"] = met.lost;
  json["forfeits"] = met.forfeits;
  json["forfeit_messages"] = met.messages;
  for (std::size_t i = 0; i < met.share_by_seat.size(); ++i)
    json["score_by_seat"][contest.game.seats[i]] = share_json(met.share_by_seat[i]);
  json["reasons"] = met.reasons;
  json["lengths"] = summary_json(met.lengths);
  json["thinking"] = {thinking_json(met.thinking[0]), thinking_json(met.thinking[1])};
  json["chances"] = {told_report(met.told[0]), told_report(met.told[1])};
  if (report.sequential) {
    json["sprt"] = {
        {"elo0", report.sequential->first},
        {"elo1", report.sequential->second},
        {"log_likelihood_ratio", rounded(score.log_likelihood_ratio(report.sequential->first, report.sequential->second, fair), 1000)},
        {"bound", rounded(sequential_bound, 1000)},
        {"verdict", verdict_of(report, score)}};
  }
  return json;
}

Json report_json(const ArenaReport& report) {
  const Contest& contest = report.contest;
  Json json = {{"game", contest.game.game},
               {"scenario", scenario_id(contest.game.scenario.name)},
               {"options", contest.game.options},
               {"seed", contest.seed}};
  json["counting"] = counting_of(contest);
  json["seconds"] = rounded(report.seconds, 1000);
  if (contest.players.size() == 2) {
    json.update(meeting_json(report, meeting_of(report, 0, 1)));
    return json;
  }
  json["games"] = report.games.size();
  const auto meetings = meetings_of(report);
  for (const Standing& standing : standings_of(report, meetings)) {
    const auto& rating = standing.rating;
    json["players"].push_back({{"kind", contest.players[standing.player].text},
                               {"elo", elo_json(rating ? std::optional(rating->elo) : std::nullopt)},
                               {"elo_half_interval", elo_json(rating ? std::optional(rating->half_interval) : std::nullopt)}});
  }
  for (const Meeting& met : meetings) json["pairings"].push_back(meeting_json(report, met));
  return json;
}

void show_meeting(Terminal& terminal, const ArenaReport& report, const Meeting& met) {
  const Contest& contest = report.contest;
  const Score& score = met.score;
  const Interval interval = score.interval();
  const auto elo = elo_of(score, contest.fair_share());
  if (!elo) {
    terminal.print("{} against {}: not played yet\n", contest.players[met.first].text, contest.players[met.second].text);
    return;
  }
  terminal.print("{} against {}: {} won, {} drawn, {} lost of {}\n", contest.players[met.first].text, contest.players[met.second].text,
                 met.won, met.drawn, met.lost, score.games());
  terminal.print("  score {:.1f} % ({:.1f}–{:.1f} %), Elo {} ({}), 95 % intervals\n", 100 * score.share(), 100 * interval.low,
                 100 * interval.high, elo_text(*elo), elo_interval_text(*elo));
  for (const std::string& note : notes_of(contest)) terminal.print("  {}\n", note);
  std::string seats;
  for (std::size_t i = 0; i < met.share_by_seat.size(); ++i)
    seats += fmt::format("{}{} {:.1f} %", i == 0 ? "" : ", ", contest.game.seats[i], 100 * met.share_by_seat[i].value_or(0));
  terminal.print("  by seat: {}\n", seats);
  for (const auto& [player, thinking] : {std::pair(met.first, met.thinking[0]), {met.second, met.thinking[1]}}) {
    if (thinking.choices > 0) terminal.print("  {} thought {}\n", contest.players[player].text, thinking_words(thinking));
  }
  for (const auto& [player, groups] : {std::pair(met.first, met.told[0]), {met.second, met.told[1]}}) {
    ToldChances told;
    for (const ToldChances& group : groups) told.add(group);
    if (told.count() == 0) continue;
    terminal.print("  {} saw a chance of {:.1f} % once a round, on average; {:.1f} % came true\n", contest.players[player].text,
                   100 * told.mean_told(), 100 * told.mean_got());
  }
  if (report.sequential) terminal.print("  {}\n", verdict_words(report, score));
  if (met.forfeits > 0) {
    terminal.print("  {} forfeited:\n", counted(met.forfeits, "game"));
    for (const std::string& message : met.messages) terminal.print("    {}\n", message);
  }
}

// Of the table, so that the longest name fits and a command without end does not push everything else from the screen.
constexpr std::size_t longest_name = 60;

void show_table(Terminal& terminal, const ArenaReport& report, std::span<const Meeting> meetings) {
  const auto standings = in_order(standings_of(report, meetings));
  std::vector<std::string> names;
  int room = 0;
  for (const Standing& standing : standings) {
    names.push_back(presentable(report.contest.players[standing.player].text, longest_name));
    room = std::max(room, display_width(names.back()));
  }
  terminal.line("\nTable (Elo after Bradley and Terry, 0 in the middle; scores of the row against the column in %)");
  std::string head = fmt::format("{:>2} {} {:>6} {:>6} ", "", fitted("", room), "Elo", "±");
  for (std::size_t column = 0; column < standings.size(); ++column) head += fmt::format("{:>6}", column + 1);
  terminal.line(head);
  for (std::size_t row = 0; row < standings.size(); ++row) {
    const auto& rating = standings[row].rating;
    std::string line = fmt::format("{:>2} {} {:>6} {:>6} ", row + 1, fitted(names[row], room), rating ? signed_text(rating->elo) : "",
                                   rating ? fmt::format("{:.0f}", rating->half_interval) : "");
    for (const Standing& other : standings) {
      const auto& share = standings[row].share_against[other.player];
      line += fmt::format("{:>6}", share ? fmt::format("{:.1f}", 100 * *share) : &other == &standings[row] ? "–" : "");
    }
    terminal.line(line.substr(0, line.find_last_not_of(' ') + 1));
  }
}

void show(Terminal& terminal, const ArenaReport& report) {
  const Contest& contest = report.contest;
  const auto kept = std::count_if(report.games.begin(), report.games.end(), [](const ContestGame& game) { return game.from_file; });
  const std::string how_long = kept == 0 ? fmt::format(" in {:.1f} s", report.seconds)
                               : kept == std::ssize(report.games)
                                   ? ", all from the file"
                                   : fmt::format(", {} of them from the file; this run took {:.1f} s", kept, report.seconds);
  terminal.print("{} · {} · seed {} · {} · {}{}\n\n", contest.game.game, scenario_id(contest.game.scenario.name), contest.seed,
                 counting_of(contest) == "iterations" ? "budgets by iterations" : "budgets by time",
                 counted(std::ssize(report.games), "game"), how_long);
  const auto meetings = meetings_of(report);
  for (const Meeting& met : meetings) show_meeting(terminal, report, met);
  if (contest.players.size() > 2) show_table(terminal, report, meetings);
}

}  // namespace

std::string counting_of(const Contest& contest) {
  const bool by_time = std::any_of(contest.players.begin(), contest.players.end(), [&](const PlayerKind& kind) {
    return budget_in(contest.game.game, kind, contest.counting).time.count() > 0;
  });
  return by_time ? "time" : "iterations";
}

std::vector<Meeting> meetings_of(const ArenaReport& report) {
  std::vector<Meeting> all;
  const auto players = report.contest.players.size();
  for (std::size_t i = 0; i < players; ++i) {
    for (std::size_t j = i + 1; j < players; ++j) all.push_back(meeting_of(report, i, j));
  }
  return all;
}

std::vector<Standing> standings_of(const ArenaReport& report, std::span<const Meeting> meetings) {
  const auto players = report.contest.players.size();
  std::vector<Standing> all(players);
  for (std::size_t i = 0; i < players; ++i) {
    all[i].player = i;
    all[i].share_against.resize(players);
  }
  // Whoever has not played would make everybody's distance to the middle of all uncertain.
  std::vector<std::size_t> rated;
  const auto number_of = [&](std::size_t player) {
    const auto found = std::find(rated.begin(), rated.end(), player);
    if (found == rated.end()) return rated.push_back(player), rated.size() - 1;
    return static_cast<std::size_t>(found - rated.begin());
  };
  std::vector<Pairing> pairings;
  for (const Meeting& met : meetings) {
    if (!met.was_played()) continue;
    const auto first = number_of(met.first), second = number_of(met.second);
    pairings.push_back({first, second, met.score.points(), met.score.games()});
    all[met.first].share_against[met.second] = met.score.share();
    all[met.second].share_against[met.first] = 1 - met.score.share();
  }
  const auto found = ratings(rated.size(), pairings);
  for (std::size_t i = 0; i < rated.size(); ++i) all[rated[i]].rating = found[i];
  return all;
}

std::vector<Standing> in_order(std::vector<Standing> standings) {
  const auto elo = [](const Standing& standing) { return standing.rating ? standing.rating->elo : -INFINITY; };
  std::stable_sort(standings.begin(), standings.end(), [&](const Standing& x, const Standing& y) { return elo(x) > elo(y); });
  return standings;
}

std::string elo_text(const EloOfScore& elo) {
  return (elo.won_all ? "more than " : elo.lost_all ? "less than " : "") + signed_text(elo.elo);
}

std::string elo_interval_text(const EloOfScore& elo) {
  return fmt::format("{} to {}", elo.low ? signed_text(*elo.low) : "−∞", elo.high ? signed_text(*elo.high) : "+∞");
}

std::string verdict_words(const ArenaReport& report, const Score& score) {
  const auto [low, high] = *report.sequential;
  const auto in_words = [](double elo) { return fmt::format("{}{:g}", elo < 0 ? "−" : "", std::abs(elo)); };
  const std::string verdict = verdict_of(report, score);
  const std::string words = verdict == "accepted" ? fmt::format("nearer to Elo {} than to {}", in_words(high), in_words(low))
                            : verdict == "rejected"
                                ? fmt::format("nearer to Elo {} than to {}", in_words(low), in_words(high))
                                : fmt::format("not clear yet whether Elo {} or {} is nearer", in_words(low), in_words(high));
  return fmt::format("sequential test: {} (ratio {}, bounds ±{:.2f})", words,
                     signed_text(score.log_likelihood_ratio(low, high, report.contest.fair_share()), 2), sequential_bound);
}

std::vector<std::string> notes_of(const Contest& contest) {
  std::vector<std::string> notes;
  if (contest.fair_share() != 0.5)
    notes.push_back(fmt::format("equals would score {:.1f} % and have an Elo of 0", 100 * contest.fair_share()));
  if (!contest.game.has_even_sides()) notes.emplace_back("in the score each side counts alike, however many seats it has");
  return notes;
}

int run_arena(const Words& words, Terminal& terminal) {
  CLI::App command("How strong computer players are against each other: the same seeds with the seats swapped.", "baton arena");
  ArenaArguments arguments;
  add_game_choice(command, arguments.choice);
  command.add_option("--a", arguments.a, "a player: random, greedy, recruit, sergeant, captain, general or exec:COMMAND");
  command.add_option("--b", arguments.b, "the player against it; in a game of more seats it takes all the others");
  add_repeatable(command, "--player", arguments.players,
                 "instead of --a and --b: one of several players who all meet each other; repeat it");
  add_repeatable(command, "--seat", arguments.seats,
                 "SEAT=KIND, instead of --a and --b: players as the other commands take them; they change places here all the same");
  command.add_option("--games", arguments.games,
                     "games of each two players, rounded up so that everybody had every seat; 100 unless given");
  command.add_option("--sprt", arguments.sequential,
                     "ELO0,ELO1: play until it is clear, with errors of 5 %, which of the two is nearer the truth");
  command.add_option("--time", arguments.time,
                     "thinking time per own turn in ms, of players without a budget of their own; without it levels think for a number of "
                     "iterations, and the seed alone decides");
  command.add_option("--threads", arguments.threads, "how many games at a time; one a processor core unless given");
  command.add_option("--seed", arguments.seed, "of the dice; 1 unless given");
  command.add_option("--file", arguments.file, "keeps every finished game; the same command again goes on where it stopped");
  command.add_option("--html", arguments.page, "writes a page with plots");
  command.add_flag("--json", arguments.as_json, "print one JSON object");
  if (const auto code = parse(command, words, terminal)) return *code;
  auto contest = contest_from(arguments);
  if (!contest) return refuse(terminal, contest.error());
  ArenaReport report{*contest, {}, 0, std::nullopt};
  if (!arguments.sequential.empty()) {
    const auto elos = two_elos(arguments.sequential);
    if (!elos) return refuse(terminal, elos.error());
    report.sequential = *elos;
    contest->enough = [elos, fair = contest->fair_share()](std::size_t, std::size_t, const Score& score) {
      return std::abs(score.log_likelihood_ratio(elos->first, elos->second, fair)) >= sequential_bound;
    };
  }
  if (!arguments.page.empty()) {
    if (const auto may = may_be_written(arguments.page); !may) return refuse(terminal, may.error());
  }
  const StopSignals signals;
  contest->stopped = [] { return StopSignals::came(); };
  const auto players = contest->players.size();
  Progress progress(terminal, "games",
                    static_cast<std::uint64_t>(contest->groups) * contest->game.seats.size() * players * (players - 1) / 2);
  contest->progress = [&](std::uint64_t done) { progress.show(done); };
  const auto begun = std::chrono::steady_clock::now();
  auto played = run_contest(*contest);
  progress.clear();
  if (!played) return refuse(terminal, played.error());
  report.games = std::move(played->games);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  if (arguments.as_json) {
    terminal.line(report_json(report).dump(2, ' ', false, Json::error_handler_t::replace));
  } else {
    show(terminal, report);
  }
  if (!arguments.page.empty()) {
    if (const auto error = write_whole_file(arguments.page, arena_page(report)))
      return refuse(terminal, arguments.page + ": this file cannot be written: " + error.message());
  }
  if (!played->broken_off) return exit_done;
  terminal.err << "Stopped before the end; this is what was played so far."
               << (arguments.file.empty() ? "" : " The same command goes on from there.") << "\n";
  return exit_no;
}

}  // namespace baton::app
