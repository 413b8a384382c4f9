#include "app/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace baton::app {

FileLock::~FileLock() {
  if (file_ >= 0) close(file_);
}

Expected<void> FileLock::take(const std::string& path) {
  if (path.empty()) return {};
  file_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) return problem(path, "this file cannot be written.");
  if (flock(file_, LOCK_EX | LOCK_NB) != 0) return problem(path, "another run is writing to this file; wait until it has ended, stop it, or name another file.");
  return {};
}

}  // namespace baton::app
