#include "table/server.h"

#include <sys/resource.h>

#include <array>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <boost/beast/websocket.hpp>
#include <boost/beast/websocket/ssl.hpp>
#include <csignal>
#include <deque>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>

#include "table/api.h"
#include "table/asio_loop.h"
#include "table/hall.h"
#include "table/log.h"

namespace baton::table {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = asio::ip::tcp;
using asio::awaitable;
using asio::use_awaitable;
using boost::system::error_code;

constexpr std::size_t largest_header = 16 * 1024, largest_message = 64 * 1024, largest_queue = 4 * 1024 * 1024,
                      largest_farewell = 1024 * 1024;
constexpr std::size_t most_lines = 8192, most_lines_of_address = 256, most_sockets_of_person = 16;

auto with(error_code& error) { return asio::redirect_error(use_awaitable, error); }

// Waits until somebody calls: a timer that never ends by itself.
class Bell {
 public:
  explicit Bell(const asio::any_io_executor& executor) : timer_(executor, asio::steady_timer::time_point::max()) {}
  void ring() { timer_.cancel(); }
  awaitable<void> heard() {
    error_code error;
    co_await timer_.async_wait(with(error));
  }

 private:
  asio::steady_timer timer_;
};

// A client's socket. Kept alive by its two coroutines and by whoever sends.
template <class Stream>
class Socket final : public Wire, public std::enable_shared_from_this<Socket<Stream>> {
 public:
  Socket(Stream&& stream, Milliseconds idle_time) : socket_(std::move(stream)), bell_(socket_.get_executor()), idle_time_(idle_time) {}

  void send(std::shared_ptr<const std::string> text) override {
    if (closed_) return;
    waiting_ += text->size();
    queue_.push_back(std::move(text));
    // Whoever does not read is let go before he costs the others memory.
    if (waiting_ > largest_queue) return drop();
    bell_.ring();
  }

  void close() override {
    closing_ = true;
    bell_.ring();
  }

  void drop() {
    closed_ = true;
    error_code error;
    beast::get_lowest_layer(socket_).socket().close(error);
    bell_.ring();
  }

  awaitable<void> read(Hall& hall, Reader who, std::string session, http::request<http::string_body> request) {
    const auto self = this->shared_from_this();
    error_code error;
    beast::get_lowest_layer(socket_).expires_never();
    websocket::stream_base::timeout times{std::chrono::seconds(10), idle_time_, true};
    socket_.set_option(times);
    socket_.read_message_max(largest_message);
    co_await socket_.async_accept(request, with(error));
    if (error) co_return;
    socket_.text(true);
    const std::uint64_t number = hall.connect(self, who, session);
    asio::co_spawn(socket_.get_executor(), write(), asio::detached);
    beast::flat_buffer buffer;
    while (!closed_) {
      co_await socket_.async_read(buffer, with(error));
      if (error || closed_) break;
      const auto bytes = buffer.cdata();
      if (!socket_.got_text()) break;
      hall.receive(number, {static_cast<const char*>(bytes.data()), bytes.size()});
      buffer.consume(buffer.size());
    }
    closed_ = true;
    hall.disconnect(number);
    bell_.ring();
  }

 private:
  awaitable<void> write() {
    const auto self = this->shared_from_this();
    error_code error;
    while (!closed_) {
      if (queue_.empty()) {
        if (closing_) break;
        co_await bell_.heard();
        continue;
      }
      const auto text = queue_.front();
      co_await socket_.async_write(asio::buffer(*text), with(error));
      if (error) break;
      waiting_ -= text->size();
      queue_.pop_front();
    }
    queue_.clear();
    if (closing_ && !closed_) co_await socket_.async_close(websocket::close_code::going_away, with(error));
    closed_ = true;
    beast::get_lowest_layer(socket_).socket().close(error);
  }

  websocket::stream<Stream> socket_;
  Bell bell_;
  Milliseconds idle_time_;
  std::deque<std::shared_ptr<const std::string>> queue_;
  std::size_t waiting_ = 0;
  bool closing_ = false, closed_ = false;
};

std::string text_of_field(const http::request<http::string_body>& request, http::field field) { return std::string(request[field]); }

}  // namespace

struct Server::Parts {
  explicit Parts(Settings given) : settings(std::move(given)), loop(context), acceptor(context), signals(context, SIGTERM, SIGINT) {}

  Settings settings;
  asio::io_context context{1};
  AsioLoop loop;
  std::optional<asio::ssl::context> tls;
  tcp::acceptor acceptor;
  asio::signal_set signals;
  std::unique_ptr<Hall> hall;
  std::unique_ptr<Api> api;
  std::map<std::string, std::size_t> lines_of;  // open connections by address
  std::size_t lines = 0;
  std::vector<std::weak_ptr<Wire>> sockets;
  bool stopping = false;
  std::optional<Problem> failure;

  void stop(std::string_view why) {
    if (stopping) return;
    stopping = true;
    log_line(spdlog::level::info, "server-stops", {{"reason", std::string(why)}});
    error_code error;
    acceptor.close(error);
    signals.cancel(error);
    for (const auto& weak : sockets) {
      if (const auto socket = weak.lock()) socket->close();
    }
    // What is under way is stored and answered first; those who do not take it are not waited for.
    hall->note_alive([this] { loop.after(Milliseconds{200}, [this] { context.stop(); }); });
    loop.after(Milliseconds{3000}, [this] { context.stop(); });
  }

  void fail(const std::string& why) {
    log_line(spdlog::level::critical, "database-failed", {{"reason", why}});  // nothing more can be promised
    failure = Problem{"the database", why};
    context.stop();
  }

  template <class Stream>
  awaitable<void> answer(Stream& stream, HttpAnswer made, bool head, bool keep, error_code& error) {
    http::response<http::span_body<const char>> response{static_cast<http::status>(made.status), 11};
    response.set(http::field::server, "Baton");
    response.set(http::field::content_type, made.type);
    response.set("X-Content-Type-Options", "nosniff");
    response.set("Referrer-Policy", "same-origin");
    response.set("Cross-Origin-Opener-Policy", "same-origin");
    response.set("Content-Security-Policy", content_security_policy);
    if (!settings.tls_certificate.empty()) response.set("Strict-Transport-Security", "max-age=31536000");
    if (made.type == "application/json") response.set(http::field::cache_control, "no-store");
    for (const auto& [name, value] : made.headers) response.set(name, value);
    const std::size_t size = made.body->size();
    if (!head && made.status != 304) response.body() = beast::span<const char>(made.body->data(), size);
    response.content_length(made.status == 304 ? 0 : size);
    response.keep_alive(keep);
    http::response_serializer<http::span_body<const char>> serializer(response);
    if (head || made.status == 304) {
      co_await http::async_write_header(stream, serializer, with(error));
    } else {
      co_await http::async_write(stream, serializer, with(error));
    }
  }

  template <class Stream>
  awaitable<void> converse(Stream stream, std::string address) {
    error_code error;
    beast::flat_buffer buffer(largest_header + 4096);
    for (;;) {
      http::request_parser<http::string_body> parser;
      parser.header_limit(largest_header);
      parser.body_limit(boost::none);
      beast::get_lowest_layer(stream).expires_after(settings.request_time);
      co_await http::async_read_header(stream, buffer, parser, with(error));
      if (error == http::error::header_limit) {
        HttpAnswer refused = fault_answer({"too-large", "the header is larger than 16 KiB."});
        refused.status = 431;
        co_await answer(stream, std::move(refused), false, false, error);
        break;
      }
      if (error) break;
      HttpRequest asked;
      const auto& head = parser.get();
      const bool is_head = head.method() == http::verb::head;
      if (!split_target(std::string_view(head.target().data(), head.target().size()), asked)) {
        HttpAnswer refused = fault_answer({"bad-request", "the address is malformed."});
        co_await answer(stream, std::move(refused), is_head, false, error);
        break;
      }
      const std::size_t most = Api::largest_body(asked.path);
      const bool large = parser.content_length() && *parser.content_length() > most;
      if (!large) {
        parser.body_limit(most);
        co_await http::async_read(stream, buffer, parser, with(error));
      }
      if (large || error == http::error::body_limit) {
        HttpAnswer refused = fault_answer({"too-large", "the body may have " + std::to_string(most) + " bytes."});
        co_await answer(stream, std::move(refused), is_head, false, error);
        break;
      }
      if (error) break;
      http::request<http::string_body> request = parser.release();
      asked.method = std::string(request.method_string());
      asked.address = address;
      if (settings.behind_proxy) {
        const std::string forwarded = std::string(request["X-Forwarded-For"]);
        if (!forwarded.empty()) asked.address = forwarded.substr(forwarded.find_last_of(", ") + 1).substr(0, 64);
      }
      asked.session = cookie_value(text_of_field(request, http::field::cookie), session_cookie_name);
      asked.origin = text_of_field(request, http::field::origin);
      asked.host = text_of_field(request, http::field::host);
      asked.content_type = text_of_field(request, http::field::content_type);
      asked.accept_encoding = text_of_field(request, http::field::accept_encoding);
      asked.if_none_match = text_of_field(request, http::field::if_none_match);
      Bell bell(stream.get_executor());

      if (asked.path == "/api/socket") {
        std::optional<AccountRow> account;
        std::optional<Fault> wrong;
        bool found = false;
        hall->accounts().identify(asked.session, [&](Outcome<std::optional<AccountRow>> known) {
          if (known)
            account = std::move(*known);
          else
            wrong = known.error();
          found = true;
          bell.ring();
        });
        if (!found) co_await bell.heard();
        if (!wrong) {
          if (!websocket::is_upgrade(request))
            wrong = Fault{"bad-request", "this address is for WebSockets."};
          else if (!api->is_own_origin(asked))
            wrong = Fault{"wrong-origin", "this page does not belong to the server."};
          else if (!account)
            wrong = Fault{"sign-in-first", "there is no session; sign in or come as a guest."};
          else if (settings.limit_rates && hall->sockets_of(account->id) >= most_sockets_of_person)
            wrong = Fault{"too-many", "you have 16 sockets already.", {}, 10};
          else if (stopping)
            wrong = Fault{"closing", "the server shuts down; try again soon."};
        }
        if (wrong) {
          HttpAnswer refused = fault_answer(*wrong);
          co_await answer(stream, std::move(refused), is_head, false, error);
          break;
        }
        const auto socket = std::make_shared<Socket<Stream>>(std::move(stream), settings.socket_idle_time);
        std::erase_if(sockets, [](const std::weak_ptr<Wire>& weak) { return weak.expired(); });
        sockets.push_back(socket);
        // Parameters of a coroutine are named first: GCC 12 destroys temporaries of a co_await expression twice.
        Reader who{account->id, account->name};
        std::string session = asked.session;
        co_await socket->read(*hall, std::move(who), std::move(session), std::move(request));
        co_return;
      }

      asked.body = std::move(request.body());
      const bool keep = request.keep_alive() && !stopping;
      std::optional<HttpAnswer> made;
      const auto into = std::make_shared<std::optional<HttpAnswer>*>(&made);
      api->serve(std::move(asked), [into, &bell](HttpAnswer answered) {
        if (*into == nullptr || **into) return;
        **into = std::move(answered);
        bell.ring();
      });
      if (!made) co_await bell.heard();
      *into = nullptr;
      if (!made) break;
      beast::get_lowest_layer(stream).expires_after(settings.request_time);
      co_await answer(stream, std::move(*made), is_head, keep, error);
      if (error || !keep) break;
    }
    co_await say_goodbye(stream);
  }

  // Whoever is still sending would lose our last words if we hung up on unread bytes (RFC 9112, 9.6): they are taken and thrown away, for a
  // while.
  awaitable<void> say_goodbye(beast::tcp_stream& stream) {
    error_code error;
    stream.socket().shutdown(tcp::socket::shutdown_send, error);
    stream.expires_after(std::chrono::seconds(1));
    std::array<char, 4096> unread{};
    for (std::size_t taken = 0; taken < largest_farewell && !error;)
      taken += co_await stream.async_read_some(asio::buffer(unread), with(error));
  }
  awaitable<void> say_goodbye(beast::ssl_stream<beast::tcp_stream>& stream) {
    error_code error;
    beast::get_lowest_layer(stream).expires_after(std::chrono::seconds(5));
    co_await stream.async_shutdown(with(error));
    co_await say_goodbye(beast::get_lowest_layer(stream));
  }

  awaitable<void> welcome(tcp::socket socket, std::string address) {
    ++lines;
    ++lines_of[address];
    error_code error;
    socket.set_option(tcp::no_delay(true), error);
    try {
      if (tls) {
        beast::ssl_stream<beast::tcp_stream> stream(beast::tcp_stream(std::move(socket)), *tls);
        beast::get_lowest_layer(stream).expires_after(settings.request_time);
        co_await stream.async_handshake(asio::ssl::stream_base::server, with(error));
        if (!error) co_await converse(std::move(stream), address);
      } else {
        beast::tcp_stream stream(std::move(socket));
        co_await converse(std::move(stream), address);
      }
    } catch (const boost::system::system_error& broken) {
      log_line(spdlog::level::debug, "line-broke", {{"reason", broken.what()}});
    }
    --lines;
    if (--lines_of[address] == 0) lines_of.erase(address);
  }

  awaitable<void> listen() {
    for (;;) {
      error_code error;
      tcp::socket socket = co_await acceptor.async_accept(with(error));
      if (error == asio::error::operation_aborted || stopping) co_return;
      if (error) {  // out of files, most likely; others may close theirs meanwhile
        asio::steady_timer pause(context, std::chrono::milliseconds(100));
        co_await pause.async_wait(with(error));
        continue;
      }
      const auto peer = socket.remote_endpoint(error);
      if (error) continue;
      const std::string address = peer.address().to_string();
      const auto known = lines_of.find(address);
      const bool crowd =
          settings.limit_rates && !settings.behind_proxy && known != lines_of.end() && known->second >= most_lines_of_address;
      if (lines >= most_lines || crowd) {
        socket.close(error);
        continue;
      }
      asio::co_spawn(context, welcome(std::move(socket), address), asio::detached);
    }
  }
};

long allow_open_files(long wanted) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  const auto needed = static_cast<rlim_t>(wanted);
  if (limit.rlim_cur < needed) {
    limit.rlim_cur = std::min(needed, limit.rlim_max);
    setrlimit(RLIMIT_NOFILE, &limit);
    getrlimit(RLIMIT_NOFILE, &limit);
  }
  return static_cast<long>(std::min<rlim_t>(limit.rlim_cur, std::numeric_limits<long>::max()));
}

Server::Server(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

Server::~Server() {
  // The hall's threads post to the context, so they end first.
  parts_->api.reset();
  parts_->hall.reset();
}

Expected<std::unique_ptr<Server>> Server::open(Settings settings) {
  if (settings.database.empty()) {
    std::error_code error;
    std::filesystem::create_directories(settings.folder, error);
    if (error) return problem("--data " + settings.folder, "the folder cannot be made: " + error.message() + ".");
    settings.database = "sqlite://" + (std::filesystem::path(settings.folder) / "baton.sqlite").string();
  }
  auto database = Database::open(settings.database);
  if (!database) return tl::make_unexpected(database.error());
  auto parts = std::make_unique<Parts>(settings);
  try {
    if (!settings.tls_certificate.empty() || !settings.tls_key.empty()) {
      parts->tls.emplace(asio::ssl::context::tls_server);
      parts->tls->set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_sslv3 | asio::ssl::context::no_tlsv1 |
                              asio::ssl::context::no_tlsv1_1);
      parts->tls->use_certificate_chain_file(settings.tls_certificate);
      parts->tls->use_private_key_file(settings.tls_key, asio::ssl::context::pem);
    }
  } catch (const boost::system::system_error& error) {
    return problem("--tls-certificate, --tls-key", std::string(error.what()));
  }
  error_code error;
  const auto address = asio::ip::make_address(settings.address, error);
  if (error) return problem("--address", "\"" + settings.address + "\" is not an IP address.");
  const tcp::endpoint endpoint(address, settings.port);
  parts->acceptor.open(endpoint.protocol(), error);
  if (!error) parts->acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) parts->acceptor.bind(endpoint, error);
  if (!error) parts->acceptor.listen(1024, error);
  if (error)
    return problem("--port " + std::to_string(settings.port),
                   "cannot listen on " + settings.address + ": " + error.message() + "; try another port.");
  parts->settings.port = parts->acceptor.local_endpoint().port();
  Parts& p = *parts;
  p.hall = std::make_unique<Hall>(p.loop, p.settings, std::move(*database), [&p](const std::string& why) { p.fail(why); });
  p.api = std::make_unique<Api>(*p.hall);
  return std::unique_ptr<Server>(new Server(std::move(parts)));
}

unsigned short Server::port() const { return parts_->settings.port; }

Expected<void> Server::run() {
  Parts& p = *parts_;
  constexpr long files_besides_lines = 64;
  if (const long allowed = allow_open_files(static_cast<long>(most_lines) + files_besides_lines); allowed < static_cast<long>(most_lines))
    log_line(spdlog::level::warn, "few-open-files",
             {{"count", std::to_string(allowed)}, {"reason", "fewer people than this can be connected at once; \"ulimit -n\" raises it"}});
  p.signals.async_wait([&p](const error_code& error, int signal) {
    if (!error) p.stop(signal == SIGTERM ? "SIGTERM" : "SIGINT");
  });
  asio::co_spawn(p.context, p.listen(), asio::detached);
  p.hall->resume_tables();
  try {
    p.context.run();
  } catch (const std::exception& error) {
    log_line(spdlog::level::critical, "server-failed", {{"reason", error.what()}});
    return problem("", std::string("a mistake of ours ended the server: ") + error.what());
  }
  if (p.failure) return tl::make_unexpected(*p.failure);
  return {};
}

void Server::stop() {
  asio::post(parts_->context, [this] { parts_->stop("asked to"); });
}

}  // namespace baton::table
