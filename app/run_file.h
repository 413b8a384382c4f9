// The file of a long run: a line of JSON that says what is run, then one for each part that ended. The same run goes on from it,
// and it belongs to one run at a time: two that wrote into it would spoil each other's lines.
#pragma once

#include <sys/types.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "core/game.h"
#include "core/problem.h"

namespace baton::app {

class RunFile {
 public:
  struct Line {
    std::string where;  // for a message
    Json json;          // null when it is not JSON
  };

  RunFile() = default;
  RunFile(const RunFile&) = delete;
  RunFile& operator=(const RunFile&) = delete;
  ~RunFile();  // lets others have the file; so does the end of the program, whatever it is

  // Gives `each` what an earlier run with the same head wrote, without a last line that was cut off: one at a time, because a run may be
  // larger than the memory. Makes the file when there is none; a file that is something else is left as it is. Without a path nothing is
  // kept. `head` has a "format"; `what` names it: "an arena". Once only.
  Expected<void> open(const std::string& path, const Json& head, const std::string& what,
                      const std::function<Expected<void>(const Line&)>& each);

  // At once: what was added stays, however the program ends. What can only be written in part is taken back.
  Expected<void> add(const Json& part);

 private:
  Expected<void> write(const std::string& text);

  std::string path_;
  int file_ = -1;
  off_t whole_ = 0;  // bytes, up to the end of the last whole line
};

}  // namespace baton::app
