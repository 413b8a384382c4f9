// The browser client's files, read once at the start.
#pragma once

#include <map>
#include <string>

#include "table/http.h"

namespace baton::table {

class StaticFiles {
 public:
  // `folder` may be empty or missing: then there is a page that says so.
  explicit StaticFiles(const std::string& folder);

  // Paths without a file end at index.html, because the client finds its pages itself; paths with an ending are not found.
  HttpAnswer find(const HttpRequest& request) const;

  std::size_t count() const { return files_.size(); }

 private:
  struct File {
    std::string type, etag;
    std::shared_ptr<const std::string> plain, gzip, brotli;  // compressed ones when they lie beside it
    bool never_changes = false;                              // its name holds a hash
  };
  std::map<std::string, File, std::less<>> files_;
};

// What a page of ours may load and run: nothing but its own files.
extern const char* const content_security_policy;

}  // namespace baton::table
