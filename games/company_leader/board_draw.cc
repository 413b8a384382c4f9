#include "games/company_leader/board_draw.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "games/company_leader/notation.h"

namespace baton::company_leader {
namespace {

constexpr std::string_view troop_letters = "-ISALHT";
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
                     number(right - left + 2 * margin) + " " + number(bottom - top + 2 * margin) +
                     "\" font-family=\"sans-serif\" text-anchor=\"middle\">\n";
  for (int f = 0; f < board.fields; ++f) {
    const double x = x_of(board.hex[at(f)]), y = y_of(board.hex[at(f)]);
    std::string points;
    for (int corner = 0; corner < 6; ++corner) {
      const double angle = 3.14159265358979 / 180 * (60 * corner + (flat ? 0 : 30));
      points += (corner == 0 ? "" : " ") + number(x + hex_size * std::cos(angle)) + "," + number(y + hex_size * std::sin(angle));
    }
    const int territory = board.owner[at(f)];
    text += "<polygon points=\"" + points + "\" fill=\"" + std::string(terrain_colours[static_cast<std::size_t>(board.terrain[at(f)])]) +
            "\" stroke=\"" + (territory < 0 ? "#777777" : std::string(seat_colours[at(territory)])) + "\" stroke-width=\"" +
            (board.purchase.has(f) ? "4" : "1.5") + "\"><title>" + board.name[at(f)] + " " +
            spell(sc, kind::terrain, static_cast<int>(board.terrain[at(f)])) + "</title></polygon>\n";
    text += "<text x=\"" + number(x) + "\" y=\"" + number(y + hex_size * 0.78) + "\" font-size=\"8\">" + board.name[at(f)] +
            (board.exits.has(f) ? " !" : "") + "</text>\n";
    const int owner = k == nullptr ? -1 : owner_of(*k, f);
    if (owner < 0) continue;
    const int kind = k->kind[at(f)];
    const std::string letter = kind == unknown_kind ? "?" : std::string(1, troop_letters[at(kind)]);
    text += "<rect x=\"" + number(x - 11) + "\" y=\"" + number(y - 11) + "\" width=\"22\" height=\"22\" rx=\"3\" fill=\"" +
            std::string(seat_colours[at(owner)]) + "\"/>\n";
    text += "<text x=\"" + number(x) + "\" y=\"" + number(y + 4) + "\" font-size=\"12\" fill=\"#ffffff\">" + letter +
            (k->revealed.has(f) ? std::to_string(strength_of(*k, f)) : "") + "</text>\n";
    if (k->revealed.has(f) && !k->to_face.has(f)) {
      const Hex ahead = direction(facing_of(*k, f));
      const double dx = x_of(ahead), dy = y_of(ahead), length = std::hypot(dx, dy);
      text += "<circle cx=\"" + number(x + 17 * dx / length) + "\" cy=\"" + number(y + 17 * dy / length) + "\" r=\"4\" fill=\"" +
              std::string(seat_colours[at(owner)]) + "\"/>\n";
    }
  }
  return text + "</svg>\n";
}

}  // namespace

std::string draw_svg(const Scenario& sc) { return svg(sc, nullptr); }
std::string draw_svg(const Scenario& sc, const Knowledge& k) { return svg(sc, &k); }

}  // namespace baton::company_leader
