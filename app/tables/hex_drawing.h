// A board of hexes in characters: each field has two lines, one for what it is and one for what stands on it.
#pragma once

#include <functional>
#include <string>

#include "app/table_picture.h"
#include "games/company_leader/scenario.h"

namespace baton::app {

// Columns inside a field: flat-top fields are one wider.
int columns_inside(const company_leader::Board& board);

// Name, terrain and purpose of a field: "f9 ♣*" on a flat-top board; on a pointy-top one "f9 ♣", the purpose only where the ground is open.
std::string field_title(const company_leader::Board& board, int field);

// `above` and `below` give the two lines of a field, exactly columns_inside() wide apart from colours.
Lines draw_hexes(const company_leader::Board& board, const std::function<std::string(int field)>& above,
                 const std::function<std::string(int field)>& below);

inline constexpr std::array<std::string_view, company_leader::terrain_count> terrain_signs = {" ", "♣", "⌂"};
inline constexpr std::string_view purchase_sign = "*", exit_sign = "!";

// A letter for each seat, told apart without colour: the first of its id that no seat before has, or its number.
std::array<std::string, company_leader::most_seats> seat_letters(const company_leader::Scenario& scenario);

}  // namespace baton::app
