// A file that a long run goes on with belongs to that run alone: two that wrote into it would spoil each other's lines.
#pragma once

#include <string>

#include "core/problem.h"

namespace baton::app {

class FileLock {
 public:
  FileLock() = default;
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();  // ends the lock; so does the end of the program, whatever it is

  // Makes the file when there is none; without a name there is nothing to take. Once only.
  Expected<void> take(const std::string& path);

 private:
  int file_ = -1;
};

}  // namespace baton::app
