// The report of an arena as one page: tables, and plots drawn as SVG, nothing loaded from elsewhere.
#include <cmath>

#include "app/arena.h"
#include "app/distribution.h"
#include "app/resolved_player.h"

namespace baton::app {
namespace {

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&': safe += "&amp;"; break;
      case '<': safe += "&lt;"; break;
      case '>': safe += "&gt;"; break;
      case '"': safe += "&quot;"; break;
      default: safe += c;
    }
  }
  return safe;
}

constexpr double width = 640, height = 300, left = 60, right = 20, top = 20, bottom = 50;

// A plot's axes: from numbers to places on the page.
struct Axes {
  double x0, x1, y0, y1;
  double x(double value) const { return left + (value - x0) / (x1 - x0) * (width - left - right); }
  double y(double value) const { return height - bottom - (value - y0) / (y1 - y0) * (height - top - bottom); }
};

std::string opened(const std::string& title) {
  return fmt::format("<figure><figcaption>{}</figcaption><svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n", escaped(title), width, height, escaped(title));
}
std::string closed() { return "</svg></figure>\n"; }

std::string label(double x, double y, const std::string& text, const char* anchor = "middle") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor, escaped(text));
}
std::string rule(double x1, double y1, double x2, double y2, const char* kind = "axis") {
  return fmt::format("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", kind, x1, y1, x2, y2);
}

std::string frame(const Axes& axes, const std::string& x_title, const std::string& y_title) {
  std::string svg = rule(left, height - bottom, width - right, height - bottom) + rule(left, top, left, height - bottom);
  for (int i = 0; i <= 4; ++i) {
    const double value = axes.y0 + (axes.y1 - axes.y0) * i / 4;
    svg += rule(left, axes.y(value), width - right, axes.y(value), "grid") + label(left - 6, axes.y(value) + 4, fmt::format("{:.0f}", value), "end");
  }
  return svg + label((left + width - right) / 2, height - 8, x_title) + label(left, top - 6, y_title, "start");
}

// How much a player may think in a turn, in its own counting; nothing for those who do not.
struct Thinking {
  double amount = 0;
  bool by_time = false, by_iterations = false;
};

Thinking thinking_of(const Contest& contest, const PlayerKind& kind) {
  if (kind.type != PlayerKind::Type::search) return {};
  const Budget budget = budget_in(contest.game.game, kind, contest.counting);
  const bool by_iterations = budget.iterations > 0;
  return {by_iterations ? static_cast<double>(budget.iterations) : static_cast<double>(budget.time.count()), budget.time.count() > 0, by_iterations};
}

std::string no_strength_plot(const std::string& why) { return "<p>Strength is not plotted against thinking: " + why + ".</p>\n"; }

std::string strength_plot(const ArenaReport& report) {
  const Contest& contest = report.contest;
  if (contest.game.sides > 2) return no_strength_plot(fmt::format("ratings compare two sides, and here are {}", contest.game.sides));
  const auto rated = ratings_of(report);
  std::vector<Thinking> thinking;
  double least = INFINITY, most = 0, low = 0, high = 0;
  bool by_time = false, by_iterations = false;
  for (std::size_t i = 0; i < rated.size(); ++i) {
    low = std::min(low, rated[i].elo - rated[i].half_interval);
    high = std::max(high, rated[i].elo + rated[i].half_interval);
    const Thinking& t = thinking.emplace_back(thinking_of(contest, contest.players[i]));
    by_time = by_time || t.by_time;
    by_iterations = by_iterations || t.by_iterations;
    if (t.amount <= 0) continue;
    least = std::min(least, t.amount);
    most = std::max(most, t.amount);
  }
  if (by_time && by_iterations) return no_strength_plot("some think for a time and some for a number of iterations");
  if (most == 0) return {};
  // Four steps of the axis are whole numbers that are read at a glance.
  const double step = 25 * std::max(1.0, std::ceil(std::max(high, -low) / 50));
  const Axes axes{std::log2(least) - 0.6, std::log2(most) + 0.6, -2 * step, 2 * step};
  std::string svg = opened("Strength against thinking") +
                    frame(axes, by_time ? "thinking time per own turn, ms (each step doubles it)" : "iterations per own turn (each step doubles them)", "Elo, 95 % intervals");
  for (std::size_t i = 0; i < rated.size(); ++i) {
    const double t = thinking[i].amount, y = axes.y(rated[i].elo);
    if (t <= 0) {
      svg += rule(left, y, width - right, y, "level") + label(width - right - 4, y - 4, contest.players[i].text, "end");
      continue;
    }
    const double x = axes.x(std::log2(t)), above = axes.y(rated[i].elo + rated[i].half_interval), below = axes.y(rated[i].elo - rated[i].half_interval);
    svg += rule(x, below, x, above, "error") + fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/>\n", x, y);
    svg += label(x, height - bottom + 16, fmt::format("{:.0f}", t));
    // Neighbours by turns above and below, so that their names do not meet.
    svg += label(x, i % 2 == 0 ? above - 5 : below + 13, contest.players[i].text);
  }
  return svg + closed();
}

// A game that somebody forfeits tells nothing of seats and length.
std::vector<ContestGame> played_out(const ArenaReport& report) {
  std::vector<ContestGame> games = report.games;
  std::erase_if(games, [](const ContestGame& game) { return !game.forfeit.empty(); });
  return games;
}

std::string seat_plot(const ArenaReport& report, const std::vector<ContestGame>& games) {
  const auto& seats = report.contest.game.seats;
  std::vector<std::int64_t> wins(seats.size(), 0);
  for (const ContestGame& game : games) {
    for (const std::size_t seat : game.winners) ++wins[seat];
  }
  const Axes axes{0, static_cast<double>(seats.size()), 0, 100};
  std::string svg = opened("Seat edge: who won, whoever sat there") + frame(axes, "seat", "% of games, 95 % intervals");
  for (std::size_t i = 0; i < seats.size(); ++i) {
    const auto total = static_cast<std::int64_t>(games.size());
    const double share = 100.0 * static_cast<double>(wins[i]) / static_cast<double>(total);
    const Interval interval = wilson_interval(wins[i], total);
    const double middle = axes.x(static_cast<double>(i) + 0.5);
    svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"60\" height=\"{:.1f}\"/>\n", middle - 30, axes.y(share), axes.y(0) - axes.y(share));
    svg += rule(middle, axes.y(100 * interval.low), middle, axes.y(100 * interval.high), "error");
    svg += label(middle, height - bottom + 16, seats[i]) + label(middle + 36, axes.y(share) + 4, fmt::format("{:.1f}", share), "start");
  }
  return svg + closed();
}

std::string length_plot(const std::vector<ContestGame>& games) {
  constexpr int bars = 24;
  std::int64_t least = games[0].decisions, most = least;
  for (const ContestGame& game : games) {
    least = std::min(least, game.decisions);
    most = std::max(most, game.decisions);
  }
  const double step = std::max(1.0, static_cast<double>(most - least + 1) / bars);
  std::vector<int> counts(bars, 0);
  for (const ContestGame& game : games) ++counts[std::min<std::size_t>(bars - 1, static_cast<std::size_t>(static_cast<double>(game.decisions - least) / step))];
  const Axes axes{static_cast<double>(least), static_cast<double>(least) + step * bars, 0, static_cast<double>(std::max(4, *std::max_element(counts.begin(), counts.end())))};
  std::string svg = opened("Game length") + frame(axes, "decisions in a game", "games");
  for (int i = 0; i < bars; ++i) {
    const double from = axes.x0 + step * i, count = counts[static_cast<std::size_t>(i)];
    svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n", axes.x(from) + 1, axes.y(count), axes.x(from + step) - axes.x(from) - 2, axes.y(0) - axes.y(count));
    if (i % 4 == 0) svg += label(axes.x(from), height - bottom + 16, fmt::format("{:.0f}", from));
  }
  return svg + closed();
}

// Where the chances that players saw are true, the points lie on the line.
std::string chance_plot(const ArenaReport& report, const std::vector<ContestGame>& games) {
  constexpr std::int64_t enough = 20;  // turns: fewer say nothing
  std::string figures;
  for (std::size_t player = 0; player < report.contest.players.size(); ++player) {
    ToldChances told;
    for (const ContestGame& game : games) {
      if (game.first == player) told.add(game.first_told);
      if (game.second == player) told.add(game.second_told);
    }
    if (told.count() < enough) continue;
    const Axes axes{0, 100, 0, 100};
    figures += opened("Chances that " + report.contest.players[player].text + " saw when its turns began, and how many came true") +
               frame(axes, "chance seen, % (a larger point stands for more turns)", "won, %");
    figures += rule(axes.x(0), axes.y(0), axes.x(100), axes.y(100), "level");
    for (int tick = 0; tick <= 100; tick += 25) figures += label(axes.x(tick), height - bottom + 16, std::to_string(tick));
    for (std::size_t i = 0; i < ToldChances::steps; ++i) {
      const auto times = static_cast<double>(told.times[i]);
      if (told.times[i] < enough) continue;
      figures += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"/>\n", axes.x(100 * ToldChances::middle(i)),
                             axes.y(100 * told.points[i] / times), 2 + 20 * std::sqrt(times / static_cast<double>(told.count())));
    }
    figures += closed();
  }
  return figures;
}

std::string pairing_rows(const ArenaReport& report) {
  std::string rows;
  const Contest& contest = report.contest;
  for (std::size_t i = 0; i < contest.players.size(); ++i) {
    for (std::size_t j = i + 1; j < contest.players.size(); ++j) {
      const Score score = score_of(report.games, i, j, contest.game);
      const Interval interval = score.interval();
      rows += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{:.1f} %</td><td>{:.1f}–{:.1f} %</td></tr>\n", escaped(contest.players[i].text),
                          escaped(contest.players[j].text), score.games(), 100 * score.share(), 100 * interval.low, 100 * interval.high);
    }
  }
  return rows;
}

}  // namespace

std::string arena_page(const ArenaReport& report) {
  const Contest& contest = report.contest;
  const std::string title = "Arena: " + contest.game.game + ", " + scenario_id(contest.game.scenario.name);
  std::string page = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + escaped(title) + R"(</title>
<meta name="viewport" content="width=device-width">
<style>
body { font: 16px/1.5 sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fff; }
table { border-collapse: collapse; } td, th { padding: .2rem .8rem .2rem 0; text-align: left; border-bottom: 1px solid #ddd; overflow-wrap: anywhere; }
td:nth-child(n+3), th { white-space: nowrap; overflow-wrap: normal; }
figure { margin: 2rem 0; } figcaption { font-weight: bold; } svg { width: 100%; overflow: visible; } text { font-size: 11px; fill: #333; paint-order: stroke; stroke: #fff; stroke-width: 3px; }
.axis { stroke: #333; } .grid { stroke: #eee; } .error { stroke: #a33; stroke-width: 2; } .level { stroke: #888; stroke-dasharray: 4 4; }
circle { fill: #a33; } rect { fill: #48a; }
</style></head><body>
)";
  page += "<h1>" + escaped(title) + "</h1>\n";
  page += fmt::format("<p>{} games, seed {}, the same seeds with the seats swapped; budgets by {}. Intervals are 95 %, of scores after Wilson.</p>\n", report.games.size(), contest.seed,
                      counting_of(contest));
  if (contest.fair_share() != 0.5) page += fmt::format("<p>Equals would score {:.1f} %.</p>\n", 100 * contest.fair_share());
  page += "<table><tr><th>player</th><th>against</th><th>games</th><th>score</th><th>interval</th></tr>\n" + pairing_rows(report) + "</table>\n";
  page += strength_plot(report);
  if (const auto games = played_out(report); !games.empty())
    page += seat_plot(report, games) + length_plot(games) + chance_plot(report, games);
  return page + "</body></html>\n";
}

}  // namespace baton::app
