#include "table/static_files.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "table/secrets.h"

namespace baton::table {
namespace {

namespace fs = std::filesystem;

struct Ending {
  std::string_view ending, type;
};
constexpr std::array<Ending, 14> endings = {{
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".svg", "image/svg+xml"},
    {".json", "application/json"},
    {".webmanifest", "application/manifest+json"},
    {".png", "image/png"},
    {".ico", "image/x-icon"},
    {".woff2", "font/woff2"},
    {".wasm", "application/wasm"},
    {".mp3", "audio/mpeg"},
    {".ogg", "audio/ogg"},
    {".webp", "image/webp"},
    {".txt", "text/plain; charset=utf-8"},
}};

std::string_view type_of(std::string_view path) {
  for (const Ending& known : endings) {
    if (path.ends_with(known.ending)) return known.type;
  }
  return {};
}

std::shared_ptr<const std::string> whole(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return nullptr;
  return std::make_shared<const std::string>(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

}  // namespace

const char* const content_security_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; media-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

StaticFiles::StaticFiles(const std::string& folder) {
  std::error_code error;
  if (folder.empty() || !fs::is_directory(folder, error)) return;
  for (fs::recursive_directory_iterator it(folder, error), end; it != end; it.increment(error)) {
    if (error) break;
    if (!it->is_regular_file(error)) continue;
    const std::string path = "/" + fs::relative(it->path(), folder, error).generic_string();
    const std::string_view type = type_of(path);
    if (type.empty()) continue;
    File file;
    file.type = type;
    file.plain = whole(it->path());
    if (!file.plain) continue;
    file.gzip = whole(it->path().string() + ".gz");
    file.brotli = whole(it->path().string() + ".br");
    file.etag = "\"" + hash_token(*file.plain).substr(0, 22) + "\"";
    file.never_changes = path.starts_with("/assets/");
    files_.emplace(path, std::move(file));
  }
}

HttpAnswer StaticFiles::find(const HttpRequest& request) const {
  HttpAnswer answer;
  auto found = files_.find(request.path);
  const auto last_part = request.path.substr(request.path.rfind('/') + 1);
  if (found == files_.end() && last_part.find('.') == std::string::npos) found = files_.find("/index.html");
  if (found == files_.end()) {
    answer.status = files_.empty() && last_part.empty() ? 200 : 404;
    answer.type = "text/plain; charset=utf-8";
    answer.body = std::make_shared<const std::string>(
        files_.empty() && last_part.empty() ? "Baton is running, without its pages: start it with --web FOLDER to serve them.\n"
                                            : "There is no such page.\n");
    return answer;
  }
  const File& file = found->second;
  answer.type = file.type;
  answer.headers.emplace_back("ETag", file.etag);
  answer.headers.emplace_back("Cache-Control", file.never_changes ? "public, max-age=31536000, immutable" : "no-cache");
  answer.headers.emplace_back("Vary", "Accept-Encoding");
  if (request.if_none_match == file.etag) {
    answer.status = 304;
    return answer;
  }
  answer.body = file.plain;
  if (file.brotli && request.accept_encoding.find("br") != std::string::npos) {
    answer.body = file.brotli;
    answer.headers.emplace_back("Content-Encoding", "br");
  } else if (file.gzip && request.accept_encoding.find("gzip") != std::string::npos) {
    answer.body = file.gzip;
    answer.headers.emplace_back("Content-Encoding", "gzip");
  }
  return answer;
}

}  // namespace baton::table
