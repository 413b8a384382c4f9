// Boards as SVG, for a page or a print.
#pragma once

#include <string>

#include "games/company_leader/knowledge.h"

namespace baton::company_leader {

std::string draw_svg(const Scenario& sc);                      // the bare board
std::string draw_svg(const Scenario& sc, const Knowledge& k);  // with the pieces as their viewer knows them

}  // namespace baton::company_leader
