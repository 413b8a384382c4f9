#include "app/tables/hex_drawing.h"

#include <algorithm>
#include <set>

namespace baton::app {
namespace {

namespace cl = company_leader;
using cl::at;

bool is_flat(const cl::Board& board) { return board.orientation == cl::Orientation::flat; }

// Characters on a grid; each place holds what one column shows.
class Canvas {
 public:
  void put(int line, int column, std::string glyph) {
    if (lines_.size() <= at(line)) lines_.resize(at(line) + 1);
    auto& row = lines_[at(line)];
    if (row.size() <= at(column)) row.resize(at(column) + 1, " ");
    row[at(column)] = std::move(glyph);
  }
  void put_if_blank(int line, int column, const std::string& glyph) {
    if (lines_.size() > at(line) && lines_[at(line)].size() > at(column) && lines_[at(line)][at(column)] != " ") return;
    put(line, column, glyph);
  }
  // A text of `width` columns stands in its first place, the others stay empty.
  void put_text(int line, int column, int width, std::string text) {
    put(line, column, std::move(text));
    for (int i = 1; i < width; ++i) put(line, column + i, "");
  }
  Lines lines() const {
    Lines all;
    for (const auto& row : lines_) {
      std::string line;
      for (const std::string& glyph : row) line += glyph;
      line.erase(line.find_last_not_of(' ') + 1);
      all.push_back(std::move(line));
    }
    return all;
  }

 private:
  std::vector<std::vector<std::string>> lines_;
};

}  // namespace

int columns_inside(const cl::Board& board) { return is_flat(board) ? 6 : 5; }

std::string field_title(const cl::Board& board, int field) {
  std::string sign(terrain_signs[static_cast<std::size_t>(board.terrain[at(field)])]);
  std::string purpose(board.exits.has(field) ? exit_sign : board.purchase.has(field) ? purchase_sign : " ");
  if (!is_flat(board)) {
    if (sign == " ") sign = purpose;
    purpose.clear();
  }
  return fitted(board.name[at(field)], 3) + sign + purpose;
}

Lines draw_hexes(const cl::Board& board, const std::function<std::string(int)>& above, const std::function<std::string(int)>& below) {
  const bool flat = is_flat(board);
  const int inside = columns_inside(board);
  const auto column_of = [&](int f) { return flat ? board.hex[at(f)].q : 2 * board.hex[at(f)].q + board.hex[at(f)].r; };
  const auto line_of = [&](int f) { return flat ? 2 * board.hex[at(f)].r + board.hex[at(f)].q : board.hex[at(f)].r; };
  int left = column_of(0), top = line_of(0);
  for (int f = 1; f < board.fields; ++f) {
    left = std::min(left, column_of(f));
    top = std::min(top, line_of(f));
  }
  Canvas canvas;
  for (int f = 0; f < board.fields; ++f) {
    if (flat) {
      const int x = (column_of(f) - left) * (inside + 1), y = line_of(f) - top + 1;
      for (int i = 1; i <= inside; ++i) canvas.put_if_blank(y - 1, x + i, "_");
      canvas.put(y, x, "/");
      canvas.put_text(y, x + 1, inside, above(f));
      canvas.put(y, x + inside + 1, "\\");
      canvas.put(y + 1, x, "\\");
      std::string floor = below(f);
      std::replace(floor.begin(), floor.end(), ' ', '_');
      canvas.put_text(y + 1, x + 1, inside, std::move(floor));
      canvas.put(y + 1, x + inside + 1, "/");
    } else {
      const int half = (inside + 1) / 2, x = (column_of(f) - left) * half, y = 3 * (line_of(f) - top) + 1;
      canvas.put(y - 1, x + half - 2, "/");
      canvas.put(y - 1, x + half + 2, "\\");
      for (const int line : {y, y + 1}) {
        canvas.put(line, x, "|");
        canvas.put(line, x + inside + 1, "|");
      }
      canvas.put_text(y, x + 1, inside, above(f));
      canvas.put_text(y + 1, x + 1, inside, below(f));
      // One edge is the upper field's and the lower field's: both put it in the same place.
      canvas.put(y + 2, x + half - 1, "\\");
      canvas.put(y + 2, x + half + 1, "/");
    }
  }
  return canvas.lines();
}

std::array<std::string, cl::most_seats> seat_letters(const cl::Scenario& scenario) {
  std::array<std::string, cl::most_seats> letters;
  std::set<char> taken;
  for (int seat = 0; seat < scenario.seat_count(); ++seat) {
    char letter = static_cast<char>('1' + seat);
    for (const char c : scenario.seats[at(seat)].id) {
      if (c < 'a' || c > 'z' || taken.contains(c)) continue;
      letter = c;
      break;
    }
    taken.insert(letter);
    letters[at(seat)] = std::string(1, letter >= 'a' ? static_cast<char>(letter - 'a' + 'A') : letter);
  }
  return letters;
}

}  // namespace baton::app
