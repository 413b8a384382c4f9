// Boards for people: as text for the terminal, as SVG for the page.
#pragma once

#include <optional>
#include <string>

#include "games/company_leader/knowledge.h"

namespace baton::company_leader {

// Each field has two lines: its name and terrain (. f U, * purchase field, ! exit), and what the viewer knows of its piece: the seat's
// first letter, then ? unknown, - dummy, or I S A L H T for the troops; lower case when concealed; revealed troops with strength and facing.
// After the name: "'" in view of the enemy; with a focus: "+" in its view, "x" in its fire, "#" in both.
std::string draw_text(const Scenario& sc, const Knowledge& k, std::optional<int> focus = std::nullopt);
std::string draw_text(const Scenario& sc);  // the bare board

std::string draw_svg(const Scenario& sc);
std::string draw_svg(const Scenario& sc, const Knowledge& k);

}  // namespace baton::company_leader
