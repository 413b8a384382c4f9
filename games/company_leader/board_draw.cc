#include "games/company_leader/board_draw.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "games/company_leader/notation.h"

namespace baton::company_leader {
namespace {

constexpr int column_width = 8, half_step = 4;  // characters: columns of a flat board, half-steps of a pointy one
constexpr std::string_view troop_letters = "-ISALHT";

std::string piece_text(const Scenario& sc, const Knowledge& k, int f) {
  const int owner = owner_of(k, f);
  if (owner < 0) return k.objective_at[0] == f || k.objective_at[1] == f ? "$" : "";
  std::string text(1, sc.seats[at(owner)].id.front());
  const int kind = k.kind[at(f)];
  if (kind == unknown_kind) {
    text += '?';
  } else if (k.revealed.has(f)) {
    text += troop_letters[at(kind)] + std::to_string(strength_of(k, f)) + (k.to_face.has(f) ? "?" : spell(sc, kind::facing, facing_of(k, f)));
  } else {
    const char letter = troop_letters[at(kind)];
    text += letter == '-' ? '-' : static_cast<char>(letter - 'A' + 'a');
  }
  if (k.objective_at[0] == f || k.objective_at[1] == f) text += '$';
  if (k.used.has(f) || k.swapped.has(f)) text += ',';
  return text;
}

std::string draw(const Scenario& sc, const Knowledge* k, std::optional<int> focus) {
  const Board& board = sc.board;
  const bool flat = board.orientation == Orientation::flat;
  FieldSet watched, seen, hit;
  if (k != nullptr && k->viewer < sc.seat_count()) watched = observed(sc, *k, k->viewer);
  if (k != nullptr && focus && *focus < board.fields && k->kind[at(*focus)] > 0 && k->kind[at(*focus)] != unknown_kind) {
    const int kind = k->kind[at(*focus)];
    const bool up = k->revealed.has(*focus);
    for (int d = 0; d < facing_count; ++d) {
      if (!up || facing_of(*k, *focus) == d) seen |= sc.seen_from(kind, *focus, d);
    }
    hit = sc.fire_around[at(sc.figures(kind).range - 1)][at(*focus)];
  }
  std::vector<std::string> lines;
  const auto write = [&](int line, int column, const std::string& text) {
    if (lines.size() <= at(line)) lines.resize(at(line) + 1);
    std::string& into = lines[at(line)];
    if (into.size() < at(column)) into.resize(at(column), ' ');
    into += text;
  };
  int left = 1 << 20, top = left;
  const auto column_of = [&](int f) { return flat ? board.hex[at(f)].q : 2 * board.hex[at(f)].q + board.hex[at(f)].r; };
  const auto line_of = [&](int f) { return flat ? 2 * board.hex[at(f)].r + board.hex[at(f)].q : 2 * board.hex[at(f)].r; };
  for (int f = 0; f < board.fields; ++f) {
    left = std::min(left, column_of(f));
    top = std::min(top, line_of(f));
  }
  // Line by line, because writing goes from left to right.
  struct Part {
    int line, column;
    std::string text;
  };
  std::vector<Part> parts;
  for (int f = 0; f < board.fields; ++f) {
    const int column = (column_of(f) - left) * (flat ? column_width : half_step), line = line_of(f) - top;
    std::string head = board.name[at(f)];
    head += ".fU"[static_cast<std::size_t>(board.terrain[at(f)])];
    if (board.purchase.has(f)) head += '*';
    if (board.exits.has(f)) head += '!';
    if (seen.has(f) || hit.has(f)) head += seen.has(f) && hit.has(f) ? '#' : seen.has(f) ? '+' : 'x';
    if (watched.has(f)) head += '\'';
    parts.push_back({line, column, head});
    const int owner = board.owner[at(f)];
    parts.push_back({line + 1, column, k != nullptr ? piece_text(sc, *k, f) : owner < 0 ? "" : std::string(1, sc.seats[at(owner)].id.front())});
  }
  std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return std::pair(a.line, a.column) < std::pair(b.line, b.column); });
  for (const Part& part : parts) write(part.line, part.column, part.text);
  std::string text;
  for (std::string& line : lines) {
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

// --- SVG ----------------------------------------------------------------------------------------------------------------

constexpr double hex_size = 30;

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

constexpr std::array<std::string_view, terrain_count> terrain_colours = {"#cfe3a8", "#5f8f4e", "#d98a7b"};
constexpr std::array<std::string_view, most_seats> seat_colours = {"#b3261e", "#1f4e9c", "#1d7a46", "#b8860b"};

std::string svg(const Scenario& sc, const Knowledge* k) {
  const Board& board = sc.board;
  const bool flat = board.orientation == Orientation::flat;
  const double root = std::sqrt(3.0);
  const auto x_of = [&](Hex h) { return flat ? hex_size * 1.5 * h.q : hex_size * root * (h.q + h.r / 2.0); };
  const auto y_of = [&](Hex h) { return flat ? hex_size * root * (h.r + h.q / 2.0) : hex_size * 1.5 * h.r; };
  double left = 0, right = 0, top = 0, bottom = 0;
  for (int f = 0; f < board.fields; ++f) {
    left = std::min(left, x_of(board.hex[at(f)]));
    right = std::max(right, x_of(board.hex[at(f)]));
    top = std::min(top, y_of(board.hex[at(f)]));
    bottom = std::max(bottom, y_of(board.hex[at(f)]));
  }
  const double margin = hex_size * 1.3;
  std::string text = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"" + number(left - margin) + " " + number(top - margin) + " " +
                     number(right - left + 2 * margin) + " " + number(bottom - top + 2 * margin) + "\" font-family=\"sans-serif\" text-anchor=\"middle\">\n";
  for (int f = 0; f < board.fields; ++f) {
    const double x = x_of(board.hex[at(f)]), y = y_of(board.hex[at(f)]);
    std::string points;
    for (int corner = 0; corner < 6; ++corner) {
      const double angle = 3.14159265358979 / 180 * (60 * corner + (flat ? 0 : 30));
      points += (corner == 0 ? "" : " ") + number(x + hex_size * std::cos(angle)) + "," + number(y + hex_size * std::sin(angle));
    }
    const int territory = board.owner[at(f)];
    text += "<polygon points=\"" + points + "\" fill=\"" + std::string(terrain_colours[static_cast<std::size_t>(board.terrain[at(f)])]) + "\" stroke=\"" +
            (territory < 0 ? "#777777" : std::string(seat_colours[at(territory)])) + "\" stroke-width=\"" + (board.purchase.has(f) ? "4" : "1.5") + "\"><title>" +
            board.name[at(f)] + " " + spell(sc, kind::terrain, static_cast<int>(board.terrain[at(f)])) + "</title></polygon>\n";
    text += "<text x=\"" + number(x) + "\" y=\"" + number(y + hex_size * 0.78) + "\" font-size=\"8\">" + board.name[at(f)] + (board.exits.has(f) ? " !" : "") + "</text>\n";
    const int owner = k == nullptr ? -1 : owner_of(*k, f);
    if (owner < 0) continue;
    const int kind = k->kind[at(f)];
    const std::string letter = kind == unknown_kind ? "?" : std::string(1, troop_letters[at(kind)]);
    text += "<rect x=\"" + number(x - 11) + "\" y=\"" + number(y - 11) + "\" width=\"22\" height=\"22\" rx=\"3\" fill=\"" + std::string(seat_colours[at(owner)]) + "\"/>\n";
    text += "<text x=\"" + number(x) + "\" y=\"" + number(y + 4) + "\" font-size=\"12\" fill=\"#ffffff\">" + letter + (k->revealed.has(f) ? std::to_string(strength_of(*k, f)) : "") + "</text>\n";
    if (k->revealed.has(f) && !k->to_face.has(f)) {
      const Hex ahead = direction(facing_of(*k, f));
      const double dx = x_of(ahead), dy = y_of(ahead), length = std::hypot(dx, dy);
      text += "<circle cx=\"" + number(x + 17 * dx / length) + "\" cy=\"" + number(y + 17 * dy / length) + "\" r=\"4\" fill=\"" + std::string(seat_colours[at(owner)]) + "\"/>\n";
    }
  }
  return text + "</svg>\n";
}

}  // namespace

std::string draw_text(const Scenario& sc, const Knowledge& k, std::optional<int> focus) { return draw(sc, &k, focus); }
std::string draw_text(const Scenario& sc) { return draw(sc, nullptr, std::nullopt); }
std::string draw_svg(const Scenario& sc) { return svg(sc, nullptr); }
std::string draw_svg(const Scenario& sc, const Knowledge& k) { return svg(sc, &k); }

}  // namespace baton::company_leader
