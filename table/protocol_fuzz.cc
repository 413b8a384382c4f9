// Any bytes as a conversation with the server: requests and frames of two people and a stranger, and time that passes between them.
// The line and the threads of the network are left out; everything behind them is the server's own.
//
// One part a line. Its first letter says what it is:
//   G TARGET          a GET            (of the person in turn; "@" stands for the table's id, here and below)
//   P TARGET BODY     a POST
//   F TEXT            a frame on the person's socket
//   0 … 9             an action out of those that the person may choose from
//   U                 the next person
//   T                 time passes
//   K                 the server ends and comes back with the same database
#include <sodium.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "table/api.h"
#include "table/test_loop.h"

namespace baton::table {
namespace {

constexpr std::size_t most_parts = 40, most_slow_parts = 1;

[[noreturn]] void broken(const std::string& promise) {
  std::fprintf(stderr, "broken promise: %s\n", promise.c_str());
  std::abort();
}

class Conversation {
 public:
  Conversation() : folder_(std::filesystem::temp_directory_path() / ("baton-fuzz-" + std::to_string(getpid()))) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    settings_.bot_wait = settings_.forced_wait = {Milliseconds{1}, Milliseconds{5}};
    open();
    for (Person& person : people_) {
      request(person, "POST", "/api/guest", "{}");
      connect(person);
    }
    const HttpAnswer made =
        request(people_[0], "POST", "/api/tables", R"({"game":"company-commander","seats":[{"seat":"us","kind":"me"}]})");
    table_ = Json::parse(*made.body)["id"].get<std::string>();
    request(people_[1], "POST", "/api/tables/@/join", "{}");
    const char* viewers[] = {"us", "german", "spectator"};
    for (std::size_t i = 0; i < people_.size(); ++i)
      frame(people_[i], R"({"type":"watch","id":"w","table":"@","viewer":")" + std::string(viewers[i]) + "\"}");
  }
  ~Conversation() {
    close();
    std::filesystem::remove_all(folder_);
  }

  void take(std::string_view part) {
    if (part.empty()) return;
    const char what = part.front();
    part.remove_prefix(std::min<std::size_t>(part.size(), 2));
    Person& person = people_[turn_];
    if (what == 'U') turn_ = (turn_ + 1) % people_.size();
    if (what == 'T') loop_.advance(Milliseconds{1'500});
    if (what == 'G') request(person, "GET", std::string(part), "");
    if (what == 'P') {
      const auto blank = part.find(' ');
      const std::string target(part.substr(0, blank));
      request(person, "POST", target, blank == std::string_view::npos ? "" : std::string(part.substr(blank + 1)));
    }
    if (what == 'F') frame(person, std::string(part));
    if (what >= '0' && what <= '9') {
      const Json view = person.wire->latest.value("view", Json());
      if (!view.is_object() || view["actions"].empty()) return;
      const Json& action = view["actions"][static_cast<std::size_t>(what - '0') % view["actions"].size()];
      frame(person,
            Json{{"type", "act"}, {"id", "n" + std::to_string(++acts_)}, {"table", table_}, {"seat", view["seat"]}, {"action", action}}
                .dump());
    }
    if (what == 'K') {
      close();
      open();
      for (Person& each : people_) connect(each);
    }
  }

 private:
  struct Person {
    std::string session;
    std::shared_ptr<TestWire> wire;
    std::uint64_t connection = 0;
  };

  void open() {
    auto database = Database::open("sqlite://" + (folder_ / "fuzz.sqlite").string());
    if (!database) broken("the database opens again: " + database.error().text());
    hall_ = std::make_unique<Hall>(loop_, settings_, std::move(*database),
                                   [](const std::string& why) { broken("the database takes everything: " + why); });
    api_ = std::make_unique<Api>(*hall_);
    loop_.busy = [this] { return hall_->is_busy(); };
    hall_->resume_tables();
    loop_.settle();
  }
  void close() {
    loop_.settle();
    loop_.busy = [] { return false; };
    api_.reset();
    hall_.reset();
  }

  void connect(Person& person) {
    person.wire = std::make_shared<TestWire>(loop_);
    hall_->accounts().identify(person.session, [&](const Outcome<std::optional<AccountRow>>& found) {
      if (!found) broken("the database can be read: " + found.error().message);
      if (const auto& account = *found) person.connection = hall_->connect(person.wire, {account->id, account->name}, person.session);
    });
    loop_.settle();
  }

  std::string with_table(std::string text) const {
    for (std::size_t at = 0; !table_.empty() && (at = text.find('@', at)) != std::string::npos; at += table_.size())
      text.replace(at, 1, table_);
    return text;
  }

  // Passwords are slow on purpose.
  bool is_too_slow(const std::string& text) {
    for (const char* word : {"password", "hint", "captain", "general"}) {
      if (text.find(word) != std::string::npos) return ++slow_parts_ > most_slow_parts;
    }
    return false;
  }

  HttpAnswer request(Person& person, const std::string& method, const std::string& target, const std::string& body) {
    HttpRequest asked;
    HttpAnswer answer;
    if (!split_target(with_table(target), asked) || is_too_slow(body)) return answer;
    asked.method = method;
    asked.session = person.session;
    asked.address = "127.0.0.1";
    asked.content_type = "application/json";
    asked.body = with_table(body);
    if (asked.body.size() > Api::largest_body(asked.path)) return answer;
    int answers = 0;
    api_->serve(std::move(asked), [&](HttpAnswer made) {
      ++answers;
      answer = std::move(made);
    });
    loop_.settle();
    if (answers != 1) broken("a request is answered exactly once: " + method + " " + target);
    if (answer.status >= 500) broken("what people send is never our mistake: " + method + " " + target + " " + body + " → " + *answer.body);
    for (const auto& [name, value] : answer.headers) {
      if (value.find_first_of("\r\n") != std::string::npos) broken("a header is one line");
      if (name == "Set-Cookie") person.session = cookie_value(value.substr(0, value.find(';')), session_cookie_name);
    }
    return answer;
  }

  void frame(Person& person, const std::string& text) {
    if (is_too_slow(text)) return;
    const std::string sent = with_table(text);
    hall_->receive(person.connection, sent);
    loop_.settle();
    for (const TestWire::Message& message : person.wire->messages) {
      if (!message.json.is_object() || !message.json.contains("type")) broken("every message has a type");
    }
    person.wire->messages.clear();
  }

  TestLoop loop_;
  Settings settings_;
  std::filesystem::path folder_;
  std::unique_ptr<Hall> hall_;
  std::unique_ptr<Api> api_;
  std::array<Person, 3> people_;
  std::string table_;
  std::size_t turn_ = 0, slow_parts_ = 0;
  int acts_ = 0;
};

}  // namespace
}  // namespace baton::table

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace baton::table;
  static const int ready = [] {
    spdlog::set_level(spdlog::level::off);
    return sodium_init();
  }();
  if (ready < 0) std::abort();
  std::string_view text(reinterpret_cast<const char*>(bytes), size);
  Conversation conversation;
  for (std::size_t part = 0; part < most_parts && !text.empty(); ++part) {
    const auto end = text.find('\n');
    conversation.take(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return 0;
}
