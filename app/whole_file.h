// Files that are written as a whole: whoever looks finds the old one or the new one, never a part.
#pragma once

#include <string>
#include <string_view>
#include <system_error>

#include "core/problem.h"

namespace baton::app {

// Beside the file first, under a name that nobody has. Links are followed, and permissions stay. Written in place are devices and pipes,
// and files whose place another file may not take.
std::error_code write_whole_file(const std::string& path, std::string_view text);

// A file that is to be written in the end, asked before hours of play. Nothing new is left behind: what belongs there may never come.
Expected<void> may_be_written(const std::string& path);

}  // namespace baton::app
