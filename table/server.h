// The server as a whole: a port, the loop, the hall behind it.
#pragma once

#include <memory>
#include <string>

#include "core/problem.h"
#include "table/settings.h"

namespace baton::table {

class Server {
 public:
  // Opens the database and the port; 0 takes any free one.
  static Expected<std::unique_ptr<Server>> open(Settings settings);
  ~Server();

  unsigned short port() const;

  // Serves until stop(), SIGTERM or SIGINT. Nothing: it ended as it should; else why it could not go on.
  Expected<void> run();
  void stop();  // from any thread

 private:
  struct Parts;
  explicit Server(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

// Raises this program's limit of open files to `wanted`, or as far as it may be raised. Returns what is allowed now.
long allow_open_files(long wanted);

}  // namespace baton::table
