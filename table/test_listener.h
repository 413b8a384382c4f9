// A port of the loopback address where a test waits for somebody to call.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

namespace baton::table {

class TestListener {
 public:
  TestListener() : listener_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    be_patient(listener_);
    EXPECT_EQ(bind(listener_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(listen(listener_, 4), 0);
    EXPECT_EQ(getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size), 0);
    port_ = ntohs(address.sin_port);
  }
  TestListener(const TestListener&) = delete;
  TestListener& operator=(const TestListener&) = delete;
  ~TestListener() { close(listener_); }

  unsigned short port() const { return port_; }
  void hang_up() const { shutdown(listener_, SHUT_RDWR); }  // whoever waits in next() waits no longer
  // The caller's line, which is then the test's to close; below 0 when nobody has called for a while.
  int next() const {
    const int line = accept(listener_, nullptr, nullptr);
    if (line >= 0) be_patient(line);
    return line;
  }

 private:
  static void be_patient(int line) {
    const timeval patience{20, 0};
    setsockopt(line, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  }

  int listener_;
  unsigned short port_ = 0;
};

}  // namespace baton::table
