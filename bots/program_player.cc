#include "bots/program_player.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "bots/own_turn.h"
#include "core/utf8.h"
#include "match/json_reader.h"

extern char** environ;

namespace baton {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t longest_answer = std::size_t{1} << 20;

constexpr std::size_t longest_reason = 1000;  // characters

std::string excerpt(std::string_view text) { return in_quotes(text, 80); }

// A started program and our end of its standard input and output.
class Program {
 public:
  explicit Program(const std::string& command) {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
      failure_ = std::strerror(errno);
      return;
    }
    ours_ = ends[0];
    fcntl(ours_, F_SETFL, O_NONBLOCK);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, ends[1], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
    // It gets its seat's bytes and no more: nothing that we have open, such as a file of results.
    posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
    // A group of its own, so that whatever it starts ends with it.
    posix_spawnattr_t how;
    posix_spawnattr_init(&how);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&how, 0);
    std::string shell = "sh", option = "-c", line = command;
    const std::array<char*, 4> words = {shell.data(), option.data(), line.data(), nullptr};
    const int wrong = posix_spawn(&leader_, "/bin/sh", &files, &how, words.data(), environ);
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&files);
    close(ends[1]);
    if (wrong != 0) {
      leader_ = 0;
      failure_ = std::strerror(wrong);
    }
  }

  ~Program() {
    if (ours_ >= 0) close(ours_);
    if (leader_ <= 0) return;
    // A polite program ends when its input does.
    for (int i = 0; i < 20 && !has_ended(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    // Until the leader is reaped nobody else can get its number, so this reaches its group and no other. It may have left the group, or run as
    // somebody whom we may not end: then it is left alone, because nothing must wait for it.
    kill(-leader_, SIGKILL);
    kill(leader_, SIGKILL);
    for (int i = 0; i < 200 && !has_ended(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    waitpid(leader_, nullptr, WNOHANG);
  }

  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  const std::string& failure() const { return failure_; }

  // False when it does not read, or is gone.
  bool tell(const std::string& line, Clock::time_point until) {
    for (std::size_t sent = 0; sent < line.size();) {
      const ssize_t count = send(ours_, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
      if (count > 0) {
        sent += static_cast<std::size_t>(count);
      } else if (count < 0 && errno == EINTR) {
        continue;
      } else if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
        if (!wait_for(POLLOUT, until)) return false;
      } else {
        return false;
      }
    }
    return true;
  }

  // Something came that nobody had asked for.
  bool has_spoken() {
    std::array<char, 4096> part;
    const ssize_t count = recv(ours_, part.data(), part.size(), 0);
    if (count > 0) heard_.append(part.data(), static_cast<std::size_t>(count));
    return heard_.find_first_not_of("\r\n") != std::string::npos;
  }

  enum class Heard { line, late, end, endless };

  Heard hear(std::string& line, Clock::time_point until) {
    for (;;) {
      if (const auto end = heard_.find('\n'); end != std::string::npos) {
        line = heard_.substr(0, end);
        heard_.erase(0, end + 1);
        if (line.ends_with('\r')) line.pop_back();
        if (!line.empty()) return Heard::line;
        continue;
      }
      if (heard_.size() > longest_answer) return Heard::endless;
      std::array<char, 4096> part;
      const ssize_t count = recv(ours_, part.data(), part.size(), 0);
      if (count > 0) {
        heard_.append(part.data(), static_cast<std::size_t>(count));
      } else if (count == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) {
        return Heard::end;
      }
      if (Clock::now() >= until || cancelled_) return Heard::late;
      if (count < 0 && !wait_for(POLLIN, until)) return Heard::late;
    }
  }

  // From another thread: wait no longer.
  void cancel() { cancelled_ = true; }

  // How it ended, in words; it may take a moment until that is known.
  std::string ending() {
    for (int i = 0; i < 20 && !has_ended(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    if (!ending_) return "closed its input and output";
    if (ending_->si_code != CLD_EXITED) return std::string("was ended by the signal ") + strsignal(ending_->si_status);
    return "ended with code " + std::to_string(ending_->si_status) + (ending_->si_status == 127 ? " (is there such a command?)" : "");
  }

 private:
  // Looks without reaping: see the destructor.
  bool has_ended() {
    siginfo_t seen{};
    if (!ending_ && waitid(P_PID, static_cast<id_t>(leader_), &seen, WEXITED | WNOHANG | WNOWAIT) == 0 && seen.si_pid == leader_) ending_ = seen;
    return ending_.has_value();
  }

  bool wait_for(short what, Clock::time_point until) const {
    while (!cancelled_) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
      if (left <= 0) return false;
      pollfd waited{ours_, what, 0};
      const int ready = poll(&waited, 1, static_cast<int>(std::min<std::int64_t>(left + 1, 100)));
      if (ready > 0 || (ready < 0 && errno == EINTR)) return true;
      if (ready < 0) return false;
    }
    return false;
  }

  int ours_ = -1;
  pid_t leader_ = 0;  // of the group of whatever it starts
  std::optional<siginfo_t> ending_;
  std::atomic<bool> cancelled_ = false;
  std::string heard_, failure_;
};

class ProgramPlayer final : public Player {
 public:
  ProgramPlayer(std::string command, const ProgramClock& clock) : command_(std::move(command)), clock_(clock) {}

  ~ProgramPlayer() override {
    if (program_) program_->tell("{\"type\":\"end\"}\n", Clock::now());
  }

  Expected<Action> choose(const Match& match, Seat seat) override {
    if (turn_.begins(match.turns(), static_cast<int>(match.seats().size())) || clock_.per == ProgramClock::Per::answer) left_ = clock_.time;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(std::max(left_, Clock::duration{0}));
    Json events = match.events(seat, told_);
    told_ += events.size();
    const Json question = {{"type", "choose"}, {"view", match.view(seat)}, {"events", std::move(events)}, {"clock", {{"milliseconds", left.count()}}}};

    const auto begun = Clock::now();
    const auto allowed = std::max(left, least_time_to_answer) + (program_ ? std::chrono::milliseconds{0} : clock_.to_start);
    const auto until = begun + allowed;
    const bool started = !program_;
    if (started) {
      auto program = std::make_unique<Program>(command_);
      {
        const std::lock_guard guard(lock_);
        program_ = std::move(program);
      }
      if (!program_->failure().empty()) return given_up("cannot be started: " + program_->failure());
      if (!program_->tell(hello(match, seat), until)) return given_up(stalled_or_ended(until));
    }
    if (program_->has_spoken()) return given_up("said something before it was asked");
    if (!program_->tell(one_line(question) + "\n", until)) return given_up(stalled_or_ended(until));
    std::string line;
    switch (program_->hear(line, until)) {
      case Program::Heard::line: break;
      case Program::Heard::late: return given_up("did not answer within " + std::to_string(allowed.count()) + " ms" + (left < clock_.time ? ", when " + std::to_string(left.count()) + " ms were left of its turn" : ""));
      case Program::Heard::end: return given_up(program_->ending() + " instead of answering");
      case Program::Heard::endless: return given_up("sent more than a mebibyte without ending the line");
    }
    const auto spent = Clock::now() - begun;
    left_ -= started ? std::max(Clock::duration{0}, spent - clock_.to_start) : spent;
    seconds_ = std::chrono::duration<double>(spent).count();
    return understood(match, seat, line);
  }

  Thoughts thoughts() const override { return {{}, 0, seconds_}; }

  void cancel() override {
    const std::lock_guard guard(lock_);
    if (program_) program_->cancel();
  }

 private:
  std::string hello(const Match& match, Seat seat) const {
    const RecordHeader& header = match.header();
    Json json = {{"type", "hello"}, {"protocol", program_protocol}, {"game", header.game}, {"seat", match.name_of(seat)}, {"seats", match.seats()}};
    json["scenario"] = {{"id", header.scenario.id}};
    json["options"] = header.options;
    return one_line(json) + "\n";
  }

  Expected<Action> understood(const Match& match, Seat seat, const std::string& line) {
    const auto json = read_json(line, "");
    if (!json || !json->is_object()) return given_up("answered " + excerpt(line) + ", which is not a JSON object");
    const auto legal = match.actions(seat);
    if (const auto number = json->find("index"); number != json->end()) {
      if (!number->is_number_unsigned() || number->get<std::uint64_t>() >= legal.size()) {
        return given_up("answered the index " + excerpt(number->dump()) + ", but the list has " + std::to_string(legal.size()) + " actions, counted from 0");
      }
      return legal[number->get<std::size_t>()];
    }
    const auto said = json->find("action");
    if (said == json->end()) return given_up("answered " + excerpt(line) + " without \"action\" or \"index\"");
    const auto action = said->is_string() ? match.from_words(said->get<std::string>()) : match.from_json(*said);
    if (!action) return given_up("answered the action " + excerpt(said->dump()) + ": " + action.error().text());
    if (const std::string why = match.why_not(seat, *action); !why.empty()) return given_up("answered the action " + excerpt(said->dump()) + ", which is refused: " + why);
    return *action;
  }

  std::string stalled_or_ended(Clock::time_point until) {
    return Clock::now() >= until ? "does not read its input" : program_->ending() + " instead of answering";
  }

  // The reason holds words of the program, wherever they were quoted.
  tl::unexpected<Problem> given_up(const std::string& what) {
    // Its end takes time, and whoever cancels must not wait for that.
    std::unique_ptr<Program> gone;
    {
      const std::lock_guard guard(lock_);
      gone.swap(program_);
    }
    gone.reset();
    std::string why = presentable(what, longest_reason);
    while (why.ends_with('.')) why.pop_back();  // the one who tells it ends the sentence
    return problem("", "the program " + excerpt(command_) + " " + why);
  }

  const std::string command_;
  const ProgramClock clock_;
  OwnTurn turn_;
  Clock::duration left_{0};  // of the time for its answer, or its turn
  std::mutex lock_;  // of the pointer, which is cancelled from another thread
  std::unique_ptr<Program> program_;
  std::size_t told_ = 0;
  double seconds_ = 0;
};

}  // namespace

std::unique_ptr<Player> make_program_player(const std::string& command, const ProgramClock& clock) {
  return std::make_unique<ProgramPlayer>(command, clock);
}

}  // namespace baton
