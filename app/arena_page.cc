// The report of an arena as one page: tables, and plots drawn as SVG, nothing loaded from elsewhere.
#include <algorithm>
#include <cctype>
#include <cmath>

#include "app/arena.h"
#include "app/display.h"
#include "app/figures.h"
#include "app/resolved_player.h"
#include "app/thinking.h"
#include "core/utf8.h"

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

// A player's name, which may break behind a colon or a comma, and nowhere inside a word.
std::string breaking(std::string_view name) {
  std::string broken;
  for (const char c : name) {
    broken += escaped(std::string_view(&c, 1));
    if (c == ':' || c == ',') broken += "<wbr>";
  }
  return broken;
}

constexpr double width = 640, height = 320, left = 60, right = 20, top = 26, bottom = 56;
constexpr double letter = 7, line = 15;  // of a text in a plot: about as wide and as high

// A plot's axes: from numbers to places on the page.
struct Axes {
  double x0, x1, y0, y1;
  double x(double value) const { return left + (value - x0) / (x1 - x0) * (width - left - right); }
  double y(double value) const { return height - bottom - (value - y0) / (y1 - y0) * (height - top - bottom); }
};

std::string opened(const std::string& title) {
  return fmt::format("<figure><figcaption>{}</figcaption><div class=\"wide\"><svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n",
                     breaking(title), width, height, escaped(title));
}
std::string closed() { return "</svg></div></figure>\n"; }

std::string label(double x, double y, const std::string& text, const char* anchor = "middle") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor, escaped(text));
}
std::string rule(double x1, double y1, double x2, double y2, const char* kind = "axis") {
  return fmt::format("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", kind, x1, y1, x2, y2);
}

// 1, 2 or 5 times a power of ten, at least 1: the first that cuts `span` into at most `parts` parts and is a multiple of `unit`.
double round_step(double span, int parts, double unit = 1) {
  for (double power = 1;; power *= 10) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double step = factor * power;
      if (step * parts >= span && std::fmod(step, unit) == 0) return step;
    }
  }
}

std::string tick(double value) { return (value < 0 ? "−" : "") + fmt::format("{:.0f}", std::abs(value)); }
std::string x_tick(double x, const std::string& text) { return label(x, height - bottom + line, text); }

// With a line and a number at each multiple of `y_step`.
std::string frame(const Axes& axes, double y_step, const std::string& x_title, const std::string& y_title) {
  std::string svg;
  for (double value = std::ceil(axes.y0 / y_step) * y_step; value <= axes.y1; value += y_step) {
    svg += rule(left, axes.y(value), width - right, axes.y(value), "grid") + label(left - 6, axes.y(value) + 4, tick(value), "end");
  }
  svg += rule(left, height - bottom, width - right, height - bottom) + rule(left, top, left, height - bottom);
  return svg + label((left + width - right) / 2, height - 10, x_title) + label(left, top - 10, y_title, "start");
}

// Names above points: each where no other and no point is, and not beyond the edge.
class Names {
 public:
  static constexpr double above = 12;

  void keep_clear_of_point(double x, double y) { taken_.push_back({x, y + 4, 6}); }

  std::string add(double x, double y, const std::string& name) {
    const std::string text = presentable(name, 60);
    const double half = letter * display_width(text) / 2;
    Box box{std::clamp(x, left + half, std::max(left + half, width - right - half)), y, half};
    for (int attempt = 1; attempt < 12 && is_taken(box); ++attempt) box.y = y + (attempt % 2 == 0 ? 1 : -1) * line * ((attempt + 1) / 2);
    taken_.push_back(box);
    return label(box.x, box.y, text);
  }

 private:
  struct Box {
    double x, y, half;
  };
  bool is_taken(const Box& box) const {
    if (box.y < top || box.y > height - bottom - 2) return true;
    return std::any_of(taken_.begin(), taken_.end(), [&](const Box& other) {
      return std::abs(other.y - box.y) < line && std::abs(other.x - box.x) < other.half + box.half;
    });
  }
  std::vector<Box> taken_;
};

// How much a player may think in a turn, in its own counting; nothing for those who do not.
struct Thinking {
  double amount = 0;
  bool by_time = false, by_iterations = false;
};

Thinking thinking_of(const Contest& contest, const PlayerKind& kind) {
  if (kind.type != PlayerKind::Type::search) return {};
  const Budget budget = budget_in(contest.game.game, kind, contest.counting);
  const bool by_iterations = budget.iterations > 0;
  return {by_iterations ? static_cast<double>(budget.iterations) : static_cast<double>(budget.time.count()), budget.time.count() > 0,
          by_iterations};
}

std::string no_strength_plot(const std::string& why) { return "<p>Strength is not plotted against thinking: " + why + ".</p>\n"; }

std::string strength_plot(const ArenaReport& report, std::span<const Meeting> meetings) {
  const Contest& contest = report.contest;
  if (contest.game.sides > 2) return no_strength_plot(fmt::format("ratings compare two sides, and here are {}", contest.game.sides));
  const auto standings = standings_of(report, meetings);
  std::vector<Thinking> thinking;
  double least = INFINITY, most = 0, low = -1, high = 1;
  bool by_time = false, by_iterations = false;
  for (const Standing& standing : standings) {
    const Thinking& t = thinking.emplace_back(thinking_of(contest, contest.players[standing.player]));
    if (!standing.rating) continue;
    low = std::min(low, standing.rating->elo - standing.rating->half_interval);
    high = std::max(high, standing.rating->elo + standing.rating->half_interval);
    by_time = by_time || t.by_time;
    by_iterations = by_iterations || t.by_iterations;
    if (t.amount <= 0) continue;
    least = std::min(least, t.amount);
    most = std::max(most, t.amount);
  }
  if (by_time && by_iterations) return no_strength_plot("some think for a time and some for a number of iterations");
  if (most == 0) return {};
  const double step = round_step(high - low, 6);
  const Axes axes{std::log2(least) - 0.6, std::log2(most) + 0.6, std::floor(low / step) * step, std::ceil(high / step) * step};
  const std::string x_title =
      std::string(by_time ? "thinking time per own turn, ms" : "iterations per own turn") + (least < most ? " (logarithmic)" : "");
  std::string svg = opened("Strength against thinking") + frame(axes, step, x_title, "Elo, 95 % intervals"), names;
  Names placed;
  for (const Standing& standing : standings) {
    const double t = thinking[standing.player].amount;
    if (standing.rating && t > 0) placed.keep_clear_of_point(axes.x(std::log2(t)), axes.y(standing.rating->elo));
  }
  std::vector<double> ticks;
  for (const Standing& standing : standings) {
    if (!standing.rating) continue;
    const auto& [elo, half_interval] = *standing.rating;
    const std::string& name = contest.players[standing.player].text;
    const double t = thinking[standing.player].amount, y = axes.y(elo);
    if (t <= 0) {
      svg += rule(left, y, width - right, y, "level");
      names += placed.add(width, y - 4, name);
      continue;
    }
    const double x = axes.x(std::log2(t));
    svg += rule(x, axes.y(elo - half_interval), x, axes.y(elo + half_interval), "error") +
           fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/>\n", x, y);
    names += placed.add(x, y - Names::above, name);
    // Of amounts that lie close together one is told.
    if (std::any_of(ticks.begin(), ticks.end(), [&](double other) { return std::abs(other - x) < 7 * letter; })) continue;
    ticks.push_back(x);
    svg += x_tick(x, fmt::format("{:.0f}", t));
  }
  return svg + names + closed();
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
  std::string svg = opened("Seat edge: who won, whoever sat there") + frame(axes, 20, "seat", "% of games, 95 % intervals");
  for (std::size_t i = 0; i < seats.size(); ++i) {
    const auto total = static_cast<std::int64_t>(games.size());
    const double share = 100.0 * static_cast<double>(wins[i]) / static_cast<double>(total);
    const Interval interval = wilson_interval(wins[i], total);
    const double middle = axes.x(static_cast<double>(i) + 0.5);
    svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"60\" height=\"{:.1f}\"/>\n", middle - 30, axes.y(share),
                       axes.y(0) - axes.y(share));
    svg += rule(middle, axes.y(100 * interval.low), middle, axes.y(100 * interval.high), "error");
    svg += x_tick(middle, seats[i]) + label(middle + 36, axes.y(share) + 4, fmt::format("{:.1f}", share), "start");
  }
  return svg + closed();
}

std::string length_plot(const std::vector<ContestGame>& games) {
  constexpr int bars = 24;  // about, and at most one more
  std::int64_t least = games[0].decisions, most = least;
  for (const ContestGame& game : games) {
    least = std::min(least, game.decisions);
    most = std::max(most, game.decisions);
  }
  // Bars begin at round numbers.
  const double step = round_step(static_cast<double>(most - least + 1), bars), first = std::floor(static_cast<double>(least) / step) * step;
  std::vector<int> counts(static_cast<std::size_t>((static_cast<double>(most) - first) / step) + 1, 0);
  for (const ContestGame& game : games) ++counts[static_cast<std::size_t>((static_cast<double>(game.decisions) - first) / step)];
  const double highest = *std::max_element(counts.begin(), counts.end()), y_step = round_step(highest, 5);
  const Axes axes{first, first + step * static_cast<double>(counts.size()), 0, std::ceil(highest / y_step) * y_step};
  std::string svg = opened("Game length") + frame(axes, y_step, "decisions in a game", "games");
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double from = first + step * static_cast<double>(i), count = counts[i];
    svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n", axes.x(from) + 1, axes.y(count),
                       axes.x(from + step) - axes.x(from) - 2, axes.y(0) - axes.y(count));
  }
  // A bar of a single number stands above it, one of a range begins at its number.
  const double x_step = round_step(axes.x1 - axes.x0, 8, step), aside = step == 1 ? 0.5 : 0;
  for (double value = std::ceil(axes.x0 / x_step) * x_step; value + aside <= axes.x1; value += x_step)
    svg += x_tick(axes.x(value + aside), tick(value));
  return svg + closed();
}

// Where the chances that players saw are true, the points lie on the line.
std::string chance_plot(const ArenaReport& report, const std::vector<ContestGame>& games) {
  constexpr std::int64_t enough = 20;  // rounds: fewer say nothing
  std::string figures;
  for (std::size_t player = 0; player < report.contest.players.size(); ++player) {
    ToldChances told;
    for (const ContestGame& game : games) {
      if (game.first == player) told.add(game.first_told);
      if (game.second == player) told.add(game.second_told);
    }
    if (std::none_of(told.times.begin(), told.times.end(), [](std::int64_t times) { return times >= enough; })) continue;
    const Axes axes{0, 100, 0, 100};
    figures += opened("Chances that " + report.contest.players[player].text + " saw once a round, and how many came true") +
               frame(axes, 20, "chance seen, % (a larger point stands for more rounds)", "won, %");
    figures += rule(axes.x(0), axes.y(0), axes.x(100), axes.y(100), "level");
    for (int chance = 0; chance <= 100; chance += 20) figures += x_tick(axes.x(chance), std::to_string(chance));
    for (std::size_t i = 0; i < ToldChances::steps; ++i) {
      const auto times = static_cast<double>(told.times[i]);
      if (told.times[i] < enough) continue;
      figures += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"/>\n", axes.x(100 * told.told(i)), axes.y(100 * told.got(i)),
                             2 + 20 * std::sqrt(times / static_cast<double>(told.count())));
    }
    figures += closed();
  }
  return figures;
}

std::string cell(const std::string& text) { return "<td class=\"number\">" + text + "</td>"; }
std::string name_cell(const Contest& contest, std::size_t player) { return "<td>" + breaking(contest.players[player].text) + "</td>"; }

// Columns of names first, then of numbers.
std::string table(const std::string& title, std::initializer_list<const char*> names, const std::vector<std::string>& numbers,
                  const std::string& rows) {
  std::string head;
  for (const char* name : names) head += fmt::format("<th>{}</th>", name);
  for (const std::string& name : numbers) head += fmt::format("<th class=\"number\">{}</th>", name);
  return fmt::format("<h2>{}</h2>\n<div class=\"wide\"><table><tr>{}</tr>\n{}</table></div>\n", title, head, rows);
}

std::string standing_table(const ArenaReport& report, std::span<const Meeting> meetings) {
  const auto standings = in_order(standings_of(report, meetings));
  std::vector<std::string> columns = {"Elo", "±"};
  std::string rows;
  for (std::size_t row = 0; row < standings.size(); ++row) {
    columns.push_back(std::to_string(row + 1));
    const Standing& standing = standings[row];
    rows += fmt::format("<tr><td>{}</td>{}", row + 1, name_cell(report.contest, standing.player));
    rows += cell(standing.rating ? signed_text(standing.rating->elo) : "–") +
            cell(standing.rating ? fmt::format("{:.0f}", standing.rating->half_interval) : "–");
    for (const Standing& other : standings) {
      const auto& share = standing.share_against[other.player];
      rows += cell(share ? fmt::format("{:.1f}", 100 * *share) : &other == &standing ? "–" : "");
    }
    rows += "</tr>\n";
  }
  return table("Table", {"", "player"}, columns, rows) +
         "<p>Elo after Bradley and Terry, 0 in the middle; scores of the row against the column in %.</p>\n";
}

std::string pairing_table(const ArenaReport& report, const std::vector<Meeting>& meetings) {
  const Contest& contest = report.contest;
  std::string rows;
  for (const Meeting& met : meetings) {
    rows += "<tr>" + name_cell(contest, met.first) + name_cell(contest, met.second);
    if (const auto elo = elo_of(met.score, contest.fair_share())) {
      const Interval interval = met.score.interval();
      rows += cell(std::to_string(met.score.games())) + cell(fmt::format("{:.1f} %", 100 * met.score.share())) +
              cell(fmt::format("{:.1f}–{:.1f} %", 100 * interval.low, 100 * interval.high));
      rows += cell(elo_text(*elo)) + cell(elo_interval_text(*elo));
    } else {
      rows += "<td class=\"number\" colspan=\"5\">not played yet</td>";
    }
    rows += "</tr>\n";
  }
  return table("Pairings", {"player", "against"}, {"games", "score", "interval", "Elo", "interval"}, rows);
}

std::string verdict_list(const ArenaReport& report, const std::vector<Meeting>& meetings) {
  if (!report.sequential) return {};
  std::string items;
  for (const Meeting& met : meetings) {
    items += fmt::format("<li>{} against {}: {}</li>\n", breaking(report.contest.players[met.first].text),
                         breaking(report.contest.players[met.second].text), verdict_words(report, met.score));
  }
  return "<ul>\n" + items + "</ul>\n";
}

std::string thinking_table(const ArenaReport& report, const std::vector<Meeting>& meetings) {
  std::vector<ThinkingTime> all(report.contest.players.size());
  for (const Meeting& met : meetings) {
    all[met.first].add(met.thinking[0]);
    all[met.second].add(met.thinking[1]);
  }
  std::string rows;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].choices == 0) continue;
    rows += "<tr>" + name_cell(report.contest, i) + cell(std::to_string(all[i].choices)) + cell(in_milliseconds(all[i].mean())) +
            cell(in_milliseconds(all[i].longest)) + "</tr>\n";
  }
  return rows.empty() ? rows : table("Thinking time", {"player"}, {"choices", "each", "at most"}, rows);
}

std::string forfeit_list(const ArenaReport& report, const std::vector<Meeting>& meetings) {
  std::string items;
  for (const Meeting& met : meetings) {
    if (met.forfeits == 0) continue;
    items += fmt::format("<li>{} of {} against {}:<ul>\n", counted(met.forfeits, "game"), breaking(report.contest.players[met.first].text),
                         breaking(report.contest.players[met.second].text));
    for (const std::string& message : met.messages) items += "<li>" + escaped(message) + "</li>\n";
    if (met.forfeits > std::ssize(met.messages)) items += "<li>…</li>\n";
    items += "</ul></li>\n";
  }
  return items.empty() ? items : "<h2>Forfeited games</h2>\n<ul>\n" + items + "</ul>\n";
}

std::string sentence(std::string words) {
  words[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(words[0])));
  return "<p>" + words + ".</p>\n";
}

}  // namespace

std::string arena_page(const ArenaReport& report) {
  const Contest& contest = report.contest;
  const std::string title = "Arena: " + contest.game.game + ", " + scenario_id(contest.game.scenario.name);
  std::string page = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + escaped(title) + R"(</title>
<meta name="viewport" content="width=device-width">
<style>
body { font: 16px/1.5 sans-serif; max-width: 56rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fff; }
h1, h2, figcaption { font-size: 1.1rem; font-weight: bold; margin: 2rem 0 .5rem; } h1 { font-size: 1.5rem; } li { overflow-wrap: anywhere; }
.wide { overflow-x: auto; } svg { display: block; width: 100%; min-width: 36rem; }
table { border-collapse: collapse; } td, th { padding: .2rem .8rem .2rem 0; text-align: left; border-bottom: 1px solid #ddd; }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
figure { margin: 0; } text { font-size: 13px; fill: #333; paint-order: stroke; stroke: #fff; stroke-width: 3px; }
.axis { stroke: #333; } .grid { stroke: #eee; } .error { stroke: #a33; stroke-width: 2; } .level { stroke: #888; stroke-dasharray: 4 4; }
circle { fill: #a33; } rect { fill: #48a; }
</style></head><body>
)";
  page += "<h1>" + escaped(title) + "</h1>\n";
  page +=
      fmt::format("<p>{}, seed {}, the same seeds with the seats swapped; budgets by {}. Intervals are 95 %, of scores after Wilson.</p>\n",
                  counted(std::ssize(report.games), "game"), contest.seed, counting_of(contest));
  for (const std::string& note : notes_of(contest)) page += sentence(note);
  const auto meetings = meetings_of(report);
  if (contest.players.size() > 2) page += standing_table(report, meetings);
  page +=
      pairing_table(report, meetings) + verdict_list(report, meetings) + thinking_table(report, meetings) + forfeit_list(report, meetings);
  page += strength_plot(report, meetings);
  if (const auto games = played_out(report); !games.empty())
    page += seat_plot(report, games) + length_plot(games) + chance_plot(report, games);
  return page + "</body></html>\n";
}

}  // namespace baton::app
