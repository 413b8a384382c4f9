#include "app/run_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>

#include "match/json_reader.h"

namespace baton::app {
namespace {

constexpr std::size_t longest_line = std::size_t{1} << 20;

}  // namespace

RunFile::~RunFile() {
  if (file_ >= 0) close(file_);
}

Expected<void> RunFile::open(const std::string& path, const Json& head, const std::string& what,
                             const std::function<Expected<void>(const Line&)>& each) {
  if (path.empty()) return {};
  path_ = path;
  const auto strange = [&](const std::string& where) { return problem(where, "this is not the file of " + what + "; name another one."); };
  // Without waiting for whoever is at the other end of a pipe.
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0666);
  if (file_ < 0) return problem(path, "this file cannot be written.");
  struct stat status {};
  if (fstat(file_, &status) != 0 || !S_ISREG(status.st_mode))
    return problem(path, "this is a pipe or a device, which keeps nothing; name a file.");
  if (flock(file_, LOCK_EX | LOCK_NB) != 0)
    return problem(path, "another run is writing to this file; wait until it has ended, stop it, or name another file.");

  std::size_t lines = 0;
  const auto take = [&](std::string_view text) -> Expected<void> {
    const std::string where = path + " line " + std::to_string(++lines);
    const auto json = read_json(text, where);
    const Line line{where, json ? *json : Json()};
    if (lines > 1) return each(line);
    if (!line.json.is_object() || line.json.value("format", Json{}) != head.at("format")) return strange(where);
    if (line.json != head)
      return problem(where, "this is the file of " + what +
                                " with other arguments, or of a Baton that plays otherwise; use the same ones or name another file.");
    return {};
  };
  std::string rest;
  std::array<char, 1 << 16> part;
  for (off_t at = 0;;) {
    const ssize_t count = pread(file_, part.data(), part.size(), at);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return problem(path, "this file cannot be read.");
    if (count == 0) break;
    at += count;
    rest.append(part.data(), static_cast<std::size_t>(count));
    std::size_t from = 0;
    for (std::size_t end = rest.find('\n'); end != std::string::npos; end = rest.find('\n', from)) {
      if (auto taken = take(std::string_view(rest).substr(from, end - from)); !taken) return taken;
      from = end + 1;
    }
    rest.erase(0, from);
    whole_ += static_cast<off_t>(from);
    if (rest.size() > longest_line) return strange(path + " line " + std::to_string(lines + 1));
  }
  const std::string first_line = one_line(head) + "\n";
  if (whole_ == 0 && !first_line.starts_with(rest)) return strange(path);
  // What was cut off goes, so that the next line is a line of its own.
  if (ftruncate(file_, whole_) != 0) return problem(path, "this file cannot be written.");
  return whole_ == 0 ? write(first_line) : Expected<void>{};
}

Expected<void> RunFile::add(const Json& part) { return file_ < 0 ? Expected<void>{} : write(one_line(part) + "\n"); }

Expected<void> RunFile::write(const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const auto written = ::write(file_, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      // Where even this fails, the next run does it.
      [[maybe_unused]] const int cut = ftruncate(file_, whole_);
      return problem(path_, "this file cannot be written.");
    }
    done += static_cast<std::size_t>(written);
  }
  whole_ += static_cast<off_t>(text.size());
  return {};
}

}  // namespace baton::app
