#include "table/test_client.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <stdexcept>

namespace baton::table {

namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;

struct TestClient::Line {
  boost::asio::io_context context;
  std::optional<websocket::stream<beast::tcp_stream>> socket;
  beast::flat_buffer buffer;
  bool reading = false;
  boost::system::error_code read_error;
};

TestClient::TestClient(unsigned short port) : port_(port), line_(std::make_unique<Line>()) {}
TestClient::~TestClient() = default;

TestClient::Answer TestClient::request(const std::string& method, const std::string& target, const std::string& body,
                                       const Headers& headers) {
  beast::tcp_stream stream(line_->context);
  stream.connect({boost::asio::ip::make_address("127.0.0.1"), port_});
  http::request<http::string_body> ask{http::string_to_verb(method), target, 11};
  ask.set(http::field::host, "127.0.0.1:" + std::to_string(port_));
  if (!cookie_.empty()) ask.set(http::field::cookie, cookie_);
  if (method == "POST") ask.set(http::field::content_type, "application/json");
  for (const auto& [name, value] : headers) ask.set(name, value);
  ask.body() = body;
  ask.prepare_payload();
  http::write(stream, ask);
  beast::flat_buffer buffer;
  http::response_parser<http::string_body> parser;
  parser.body_limit(std::uint64_t{64} << 20);
  if (method == "HEAD") parser.skip(true);
  http::read(stream, buffer, parser);
  Answer answer;
  answer.status = static_cast<int>(parser.get().result_int());
  answer.body = parser.get().body();
  for (const auto& field : parser.get()) answer.headers[std::string(field.name_string())] = std::string(field.value());
  answer.json = Json::parse(answer.body, nullptr, false);
  if (const auto given = answer.headers.find("Set-Cookie"); given != answer.headers.end())
    cookie_ = given->second.substr(0, given->second.find(';'));
  return answer;
}

int TestClient::connect(const Headers& headers) {
  auto& socket = line_->socket;
  socket.emplace(line_->context);
  line_->reading = false;
  beast::get_lowest_layer(*socket).connect({boost::asio::ip::make_address("127.0.0.1"), port_});
  socket->set_option(websocket::stream_base::decorator([&](websocket::request_type& ask) {
    if (!cookie_.empty()) ask.set(http::field::cookie, cookie_);
    for (const auto& [name, value] : headers) ask.set(name, value);
  }));
  socket->read_message_max(std::size_t{16} << 20);
  websocket::response_type answer;
  boost::system::error_code error;
  socket->handshake(answer, "127.0.0.1:" + std::to_string(port_), "/api/socket", error);
  if (error) socket.reset();
  return static_cast<int>(answer.result_int());
}

void TestClient::hang_up() {
  if (line_->socket) beast::get_lowest_layer(*line_->socket).close();
  line_->context.restart();
  line_->context.poll();
  line_->socket.reset();
  inbox_.clear();
}

void TestClient::send_text(const std::string& text) {
  if (!line_->socket) throw std::runtime_error("there is no socket");
  line_->socket->write(boost::asio::buffer(text));
}

std::optional<Json> TestClient::read(std::chrono::milliseconds time) {
  Line& line = *line_;
  if (!line.socket) throw std::runtime_error("there is no socket");
  if (!line.reading) {
    line.reading = true;
    line.socket->async_read(line.buffer, [&line](boost::system::error_code error, std::size_t) {
      line.reading = false;
      line.read_error = error;
    });
  }
  line.context.restart();
  const auto end = std::chrono::steady_clock::now() + time;
  line.context.poll();
  while (line.reading && std::chrono::steady_clock::now() < end) line.context.run_one_until(end);
  if (line.reading) return std::nullopt;
  if (line.read_error) throw std::runtime_error("the socket was closed: " + line.read_error.message());
  const std::string text = beast::buffers_to_string(line.buffer.data());
  line.buffer.consume(line.buffer.size());
  received_ += text + "\n";
  return Json::parse(text);
}

Json TestClient::receive(std::chrono::milliseconds time) {
  auto json = receive_if_any(time);
  if (!json) throw std::runtime_error("no message came in time");
  return *json;
}

std::optional<Json> TestClient::receive_if_any(std::chrono::milliseconds time) {
  if (inbox_.empty()) return read(time);
  Json first = std::move(inbox_.front());
  inbox_.pop_front();
  return first;
}

Json TestClient::next(const std::string& type, std::chrono::milliseconds time) {
  for (;;) {
    Json json = receive(time);
    if (json["type"] == type) return json;
  }
}

Json TestClient::ask(Json request) {
  if (!request.contains("id")) request["id"] = "q" + std::to_string(++last_id_);
  const std::string id = request["id"].get<std::string>();
  send(request);
  for (;;) {
    auto json = read(std::chrono::seconds(30));
    if (!json) throw std::runtime_error("no answer came in time");
    if ((*json)["type"] == "answer" && (*json)["id"] == id) return *json;
    inbox_.push_back(std::move(*json));
  }
}

}  // namespace baton::table
