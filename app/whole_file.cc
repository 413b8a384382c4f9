#include "app/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>

namespace baton::app {
namespace {

namespace fs = std::filesystem;

std::error_code last_error() { return {errno, std::generic_category()}; }

// What a path names that leads to something already open, such as /dev/stdout.
bool is_opened_by_the_system(const std::string& path) { return path.starts_with("/dev/") || path.starts_with("/proc/"); }

// Where links lead, whether or not anything is there.
std::string end_of_links(const std::string& path) {
  std::error_code error;
  fs::path end = path;
  for (int links = 0; links < 40 && fs::is_symlink(fs::symlink_status(end, error)); ++links)
    end = end.parent_path() / fs::read_symlink(end, error);
  return end.string();
}

// Writes and closes.
std::error_code fill(int file, std::string_view text) {
  std::error_code error;
  while (!error && !text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      error = last_error();
    }
  }
  if (close(file) != 0 && !error) error = last_error();
  return error;
}

std::error_code write_in_place(const std::string& path, std::string_view text) {
  const int file = open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
  return file < 0 ? last_error() : fill(file, text);
}

}  // namespace

std::error_code write_whole_file(const std::string& path, std::string_view text) {
  struct stat old {};
  const bool there = stat(path.c_str(), &old) == 0;
  if (there && (!S_ISREG(old.st_mode) || is_opened_by_the_system(path))) return write_in_place(path, text);
  if (there && faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) return last_error();
  const std::string end = end_of_links(path);
  // Where no other file may be made or take its place; where there is no room, the old one is not given up for a part of the new one.
  const auto otherwise = [&](std::error_code error) {
    const bool barred = error == std::errc::permission_denied || error == std::errc::operation_not_permitted ||
                        error == std::errc::device_or_resource_busy || error == std::errc::filename_too_long;
    return there && barred ? write_in_place(end, text) : error;
  };
  std::string beside;
  int file = -1;
  for (int number = 1; file < 0; ++number) {
    beside = end + ".new-" + std::to_string(number);
    file = open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno != EEXIST) return otherwise(last_error());
  }
  if (there) fchmod(file, old.st_mode & 07777);
  std::error_code error = fill(file, text);
  if (!error && std::rename(beside.c_str(), end.c_str()) != 0) error = last_error();
  if (!error) return {};
  unlink(beside.c_str());
  return otherwise(error);
}

Expected<void> may_be_written(const std::string& path) {
  const std::string end = end_of_links(path);
  std::error_code unknown;
  const bool there = fs::exists(end, unknown);
  if (there && !fs::is_regular_file(end, unknown)) return problem(path, "this is not a file that can be written; name another one.");
  const int file = open(end.c_str(), there ? O_WRONLY | O_CLOEXEC : O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) return problem(path, "this file cannot be written: " + last_error().message() + ".");
  close(file);
  if (!there) unlink(end.c_str());
  return {};
}

}  // namespace baton::app
