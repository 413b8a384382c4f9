#include "app/figures.h"

#include <fmt/format.h>

namespace baton::app {

std::string signed_text(double value, int decimals) {
  std::string text = fmt::format("{:+.{}f}", value, decimals);
  const bool is_nothing = text.find_first_not_of("+-0.") == std::string::npos;
  if (text[0] == '-') text.replace(0, 1, is_nothing ? "+" : "−");
  return text;
}

std::string counted(std::int64_t count, std::string_view what) { return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s"); }

}  // namespace baton::app
