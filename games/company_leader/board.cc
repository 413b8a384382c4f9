// Boards: drawing, neighbours, names, field of view and field of fire, symmetry.
#include <algorithm>
#include <set>

#include "games/company_leader/scenario.h"

namespace baton::company_leader {
namespace {

// Characters between two tokens of neighbouring columns (flat), or half-steps within a row (pointy).
constexpr int column_width(Orientation orientation) { return orientation == Orientation::flat ? 4 : 2; }

// Where a hex stands in the drawing, counted in columns and lines from the origin.
struct Place {
  int column = 0, line = 0;
};
Place place_of(Hex hex, Orientation orientation) {
  return orientation == Orientation::flat ? Place{hex.q, 2 * hex.r + hex.q} : Place{2 * hex.q + hex.r, hex.r};
}
Hex hex_at(Place place, Orientation orientation) {
  return orientation == Orientation::flat ? Hex{place.column, (place.line - place.column) / 2}
                                          : Hex{(place.column - place.line) / 2, place.line};
}

struct Token {
  std::string text;
  int line = 0, column = 0;  // as a person counts them
  Place place;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n') {
      lines.emplace_back();
    } else if (c != '\r') {
      lines.back() += c;
    }
  }
  return lines;
}

}  // namespace

Expected<Board> read_drawing(const std::string& where, const std::string& drawing, Orientation orientation, int seat_count) {
  const int width = column_width(orientation);
  std::vector<Token> tokens;
  const auto lines = lines_of(drawing);
  const auto spot = [&](const Token& token) {
    return where + ", drawing line " + std::to_string(token.line) + ", column " + std::to_string(token.column);
  };
  for (std::size_t line = 0; line < lines.size(); ++line) {
    const std::string& text = lines[line];
    for (std::size_t i = 0; i < text.size();) {
      if (text[i] == ' ') {
        ++i;
        continue;
      }
      Token token;
      token.line = static_cast<int>(line) + 1;
      token.column = static_cast<int>(i) + 1;
      while (i < text.size() && text[i] != ' ') token.text += text[i++];
      tokens.push_back(std::move(token));
    }
  }
  if (tokens.empty()) return problem(where, "the drawing shows no field.");
  if (static_cast<int>(tokens.size()) > max_fields) {
    return problem(
        where, "the drawing shows " + std::to_string(tokens.size()) + " fields; a board has at most " + std::to_string(max_fields) + ".");
  }
  int left = tokens.front().column, right = left, top = tokens.front().line, bottom = top;
  for (const Token& token : tokens) {
    left = std::min(left, token.column);
    right = std::max(right, token.column);
    top = std::min(top, token.line);
    bottom = std::max(bottom, token.line);
  }
  for (Token& token : tokens) {
    if ((token.column - left) % width != 0) {
      return problem(spot(token), "\"" + token.text + "\" does not stand under its column; fields stand " + std::to_string(width) +
                                      " characters apart.");
    }
    token.place = {(token.column - left) / width, token.line - top};
  }
  const int parity = (tokens.front().place.column + tokens.front().place.line) & 1;
  for (const Token& token : tokens) {
    if (((token.place.column + token.place.line) & 1) != parity) {
      return problem(spot(token),
                     "\"" + token.text + "\" stands where no hex can be; neighbouring " +
                         (orientation == Orientation::flat ? "columns are shifted by one line." : "lines are shifted by two characters."));
    }
  }
  // The middle of the drawing becomes the origin of the coordinates.
  Place middle{(right - left) / width / 2, (bottom - top) / 2};
  if (((middle.column + middle.line) & 1) != parity) ++middle.column;

  Board board;
  board.orientation = orientation;
  for (const Token& token : tokens) {
    const auto f = at(board.fields);
    const std::string& text = token.text;
    switch (text[0]) {
      case '.': board.terrain[f] = Terrain::open; break;
      case 'f': board.terrain[f] = Terrain::forest; break;
      case 'U': board.terrain[f] = Terrain::urban; break;
      default: return problem(spot(token), "\"" + text + "\" must begin with the terrain: . open, f forest, U urban.");
    }
    if (text.size() < 2)
      return problem(spot(token), "\"" + text + "\" must name the territory after the terrain: - neutral, or the seat's number.");
    const int number = text[1] == '-' ? 0 : text[1] >= '1' && text[1] <= '9' ? text[1] - '0' : -1;
    if (number < 0 || number > seat_count) {
      return problem(spot(token), "\"" + text + "\" must name the territory after the terrain: - neutral, or a seat's number from 1 to " +
                                      std::to_string(seat_count) + ".");
    }
    board.owner[f] = static_cast<std::int8_t>(number - 1);
    for (std::size_t i = 2; i < text.size(); ++i) {
      if (text[i] == '*') {
        if (number == 0) return problem(spot(token), "a purchase field must lie in somebody's territory.");
        board.purchase.insert(board.fields);
      } else if (text[i] == '!') {
        board.exits.insert(board.fields);
      } else {
        return problem(spot(token), "\"" + text + "\" has the unknown mark \"" + text[i] + "\"; known are * purchase field and ! exit.");
      }
    }
    board.hex[f] = hex_at({token.place.column - middle.column, token.place.line - middle.line}, orientation);
    ++board.fields;
  }
  derive(board);
  std::set<int> letters;
  for (int f = 0; f < board.fields; ++f) letters.insert(orientation == Orientation::flat ? board.hex[at(f)].q : board.hex[at(f)].r);
  if (*letters.rbegin() - *letters.begin() >= most_letters) {
    return problem(where, std::string("the board is too ") + (orientation == Orientation::flat ? "wide" : "high") + "; at most 26 " +
                              (orientation == Orientation::flat ? "columns" : "lines") + " can be named by a letter.");
  }
  return board;
}

std::string drawing_of(const Board& board) {
  const int width = column_width(board.orientation);
  int left = 1 << 20, top = left;
  for (int f = 0; f < board.fields; ++f) {
    const Place place = place_of(board.hex[at(f)], board.orientation);
    left = std::min(left, place.column);
    top = std::min(top, place.line);
  }
  std::vector<std::string> lines;
  for (int f = 0; f < board.fields; ++f) {
    const Place place = place_of(board.hex[at(f)], board.orientation);
    const auto line = at(place.line - top), column = at((place.column - left) * width);
    if (lines.size() <= line) lines.resize(line + 1);
    const int owner = board.owner[at(f)];
    std::string token = {".fU"[static_cast<std::size_t>(board.terrain[at(f)])], owner < 0 ? '-' : static_cast<char>('1' + owner)};
    if (board.purchase.has(f)) token += '*';
    if (board.exits.has(f)) token += '!';
    std::string& text = lines[line];
    if (text.size() < column) text.resize(column, ' ');
    text += token;
  }
  std::string drawing;
  for (const std::string& line : lines) drawing += line + "\n";
  return drawing;
}

void derive(Board& board) {
  board.all = FieldSet::first(board.fields);
  board.of_terrain = {};
  int lowest = 1 << 20;
  const bool flat = board.orientation == Orientation::flat;
  for (int f = 0; f < board.fields; ++f) {
    board.of_terrain[static_cast<std::size_t>(board.terrain[at(f)])].insert(f);
    lowest = std::min(lowest, flat ? board.hex[at(f)].q : board.hex[at(f)].r);
    board.around[at(f)] = board.after[at(f)] = {};
    for (int d = 0; d < facing_count; ++d) {
      const int other = board.find(board.hex[at(f)] + direction(d));
      board.next[at(f)][at(d)] = static_cast<std::int16_t>(other);
      if (other < 0) continue;
      board.around[at(f)].insert(other);
      if (other > f) board.after[at(f)].insert(other);
    }
  }
  for (int f = 0; f < board.fields; ++f) {
    auto& steps = board.steps[at(f)];
    steps.fill(no_way);
    FieldSet reached, edge = FieldSet::of(f);
    for (std::uint8_t count = 0; !edge.empty() && count < no_way; ++count) {
      reached |= edge;
      FieldSet next;
      for (const int g : edge) {
        steps[at(g)] = count;
        next |= board.around[at(g)];
      }
      edge = next - reached;
    }
  }
  // "c4": the fourth field of the third column from the top (flat), or of the third line from the left (pointy).
  for (int f = 0; f < board.fields; ++f) {
    const Hex hex = board.hex[at(f)];
    int rank = 1;
    for (int other = 0; other < board.fields; ++other) {
      const Hex o = board.hex[at(other)];
      if (flat ? o.q == hex.q && o.r < hex.r : o.r == hex.r && o.q < hex.q) ++rank;
    }
    board.name[at(f)] = static_cast<char>('a' + (flat ? hex.q : hex.r) - lowest) + std::to_string(rank);
  }
  board.drawing = drawing_of(board);
}

FieldBytes steps_to(const Board& board, FieldSet goals) {
  FieldBytes nearest;
  nearest.fill(no_way);
  for (const int goal : goals) {
    nearest[at(goal)] = 0;
    // From elsewhere one comes to those at the edge first: a goal amid goals is the nearest to itself only.
    if ((board.around[at(goal)] - goals).empty()) continue;
    const FieldBytes& steps = board.steps[at(goal)];
    for (std::size_t f = 0; f < max_fields; ++f) nearest[f] = std::min(nearest[f], steps[f]);
  }
  return nearest;
}

// Field of view · R23, R25, R26: the three fields in front; the three behind the front field only over an open one, and only if open
// themselves.
FieldSet view_from(const Board& board, int field, int facing, int distance) {
  const Hex here = board.hex[at(field)];
  FieldSet seen;
  const auto look = [&](Hex hex, bool only_open) {
    const int f = board.find(hex);
    if (f >= 0 && (!only_open || board.terrain[at(f)] == Terrain::open)) seen.insert(f);
  };
  const Hex ahead = direction(facing), left = direction(facing - 1), right = direction(facing + 1);
  for (const Hex step : {left, ahead, right}) look(here + step, false);
  const int front = board.find(here + ahead);
  if (distance >= 2 && front >= 0 && board.terrain[at(front)] == Terrain::open) {
    for (const Hex step : {ahead + left, ahead + ahead, ahead + right}) look(here + step, true);
  }
  return seen;
}

// Field of fire · R27–R29: straight ahead; further rows of three unless the front field blocks, which it never does for a high arc.
FieldSet fire_from(const Board& board, int field, int facing, int range, bool high_arc) {
  const Hex here = board.hex[at(field)];
  FieldSet hit;
  const auto reach = [&](Hex hex) {
    if (const int f = board.find(hex); f >= 0) hit.insert(f);
  };
  const Hex ahead = direction(facing), left = direction(facing - 1), right = direction(facing + 1);
  reach(here + ahead);
  const int front = board.find(here + ahead);
  const bool clear = high_arc || (front >= 0 && board.terrain[at(front)] == Terrain::open);
  for (int row = 2; row <= range && clear; ++row) {
    const Hex base = here + ahead * (row - 1);
    for (const Hex step : {left, ahead, right}) reach(base + step);
  }
  return hit;
}

std::optional<Symmetry> symmetry_of(const Board& board, const std::vector<int>& side_of_seat, int sixths, std::string* why_not) {
  Symmetry found;
  found.sixths = sixths;
  found.becomes.fill(-1);
  found.image.assign(at(board.fields), -1);
  const auto fail = [&](const std::string& why) {
    if (why_not != nullptr) *why_not = why;
    return std::nullopt;
  };
  Hex sum;
  for (int f = 0; f < board.fields; ++f) sum = sum + board.hex[at(f)];
  const auto side = [&](int field) {
    const int seat = board.owner[at(field)];
    return seat < 0 ? -1 : side_of_seat[at(seat)];
  };
  for (int f = 0; f < board.fields; ++f) {
    // Turned about the centre of gravity, everything times the number of fields so that it stays whole.
    const Hex far = rotated(board.hex[at(f)] * board.fields - sum, sixths) + sum;
    const bool whole = far.q % board.fields == 0 && far.r % board.fields == 0;
    const int image = whole ? board.find({far.q / board.fields, far.r / board.fields}) : -1;
    const std::string& name = board.name[at(f)];
    if (image < 0) return fail("the field opposite " + name + " is missing");
    if (board.terrain[at(f)] != board.terrain[at(image)])
      return fail(name + " and its opposite " + board.name[at(image)] + " differ in terrain");
    if (board.purchase.has(f) != board.purchase.has(image))
      return fail(name + " and its opposite " + board.name[at(image)] + " must both be purchase fields or neither");
    if ((side(f) < 0) != (side(image) < 0))
      return fail(name + " and its opposite " + board.name[at(image)] + " must both be neutral or neither");
    if (side(f) >= 0) {
      int& becomes = found.becomes[at(side(f))];
      if (becomes >= 0 && becomes != side(image)) return fail("the territories are not opposite each other at " + name);
      if (side(f) == side(image)) return fail(name + " and its opposite " + board.name[at(image)] + " belong to the same side");
      becomes = side(image);
    }
    found.image[at(f)] = image;
  }
  return found;
}

}  // namespace baton::company_leader
