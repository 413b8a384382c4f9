// The scenario, case and text files that the program carries inside itself.
#pragma once

#include <string_view>
#include <vector>

namespace baton {

struct EmbeddedFile {
  std::string_view path;  // as in the repository: "games/company_commander/text/en.toml"
  std::string_view text;
};

// All of them, sorted by path. Written by the build (cmake/embed.cmake).
const std::vector<EmbeddedFile>& embedded_files();

}  // namespace baton
