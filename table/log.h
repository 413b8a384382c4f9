// One line for each thing that an operator may want to know: `event=… key=value …`, for people and for programs that read logs.
//
// Keys mean the same everywhere: `reason` why, `table` a table's id, `count` how many, `person` a name that everybody may read. Never a
// password, a token, a cookie, or an address of a mailbox or a machine. (The links that could not be mailed for want of a mail server are
// the one exception: see table/mail.cc.)
#pragma once

#include <spdlog/common.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace baton::table {

using LogField = std::pair<std::string_view, std::string>;

void log_line(spdlog::level::level_enum level, std::string_view event, std::initializer_list<LogField> fields = {});

// As it stands in the line: in quotes when it is not a single plain word.
std::string log_value(std::string_view value);

// The form of the lines, for the whole program: `time=… level=… event=… …`.
void use_log_form();

}  // namespace baton::table
