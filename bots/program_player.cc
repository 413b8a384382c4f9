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
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "bots/own_turn.h"
#include "core/utf8.h"
#include "match/json_reader.h"
#include "match/registry.h"

extern char** environ;

namespace baton {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t longest_answer = std::size_t{1} << 20;

constexpr std::size_t longest_reason = 1000;  // characters

constexpr std::size_t longest_excerpt = 80;
std::string excerpt(std::string_view text) { return in_quotes(text, longest_excerpt); }
// Words in quotes, anything else as JSON has it.
std::string as_said(const Json& json) {
  return json.is_string() ? excerpt(json.get_ref<const std::string&>()) : presentable(one_line(json), longest_excerpt);
}

// Whether it is one program that stands on the path, with arguments, and nothing for a shell to stay for.
bool is_one_program(const std::string& command) {
  if (command.find_first_of("|&;<>()`\n") != std::string::npos) return false;
  const auto begin = std::min(command.find_first_not_of(' '), command.size());
  const std::string name = command.substr(begin, command.find(' ', begin) - begin);
  if (name.empty() || name.find_first_of("=$\"'\\*?[]~{}!#") != std::string::npos) return false;
  const auto can_be_run = [](const std::string& file) {
    std::error_code none;
    return std::filesystem::is_regular_file(file, none) && access(file.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos) return can_be_run(name);
  const char* const variable = std::getenv("PATH");
  const std::string path = variable == nullptr ? "" : variable;
  for (std::size_t at = 0; at < path.size();) {
    const auto end = std::min(path.find(':', at), path.size());
    if (can_be_run(path.substr(at, end - at) + "/" + name)) return true;
    at = end + 1;
  }
  return false;
}

// A started program and our ends of its standard input and output. They are two, so that it is seen when it closes one of them.
class Program {
 public:
  explicit Program(const std::string& command) {
    std::array<int, 2> input{}, output{};  // what is written to a socket that is closed raises no signal
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, input.data()) != 0) {
      failure_ = std::strerror(errno);
      return;
    }
    to_ = input[0];
    if (pipe2(output.data(), O_CLOEXEC) != 0) {
      failure_ = std::strerror(errno);
      close(input[1]);
      return;
    }
    from_ = output[0];
    for (const int ours : {to_, from_}) fcntl(ours, F_SETFL, O_NONBLOCK);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, input[1], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, output[1], STDOUT_FILENO);
    // It gets its seat's bytes and no more: nothing that we have open, such as a file of results.
    posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
    // A group of its own, so that whatever it starts ends with it.
    posix_spawnattr_t how;
    posix_spawnattr_init(&how);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&how, 0);
    // A shell that stayed would hold them open, whatever the program closes.
    std::string shell = "sh", option = "-c", line = (is_one_program(command) ? "exec " : "") + command;
    const std::array<char*, 4> words = {shell.data(), option.data(), line.data(), nullptr};
    const int wrong = posix_spawn(&leader_, "/bin/sh", &files, &how, words.data(), environ);
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&files);
    close(input[1]);
    close(output[1]);
    if (wrong != 0) {
      leader_ = 0;
      failure_ = std::strerror(wrong);
    }
  }

  ~Program() {
    for (const int ours : {to_, from_}) {
      if (ours >= 0) close(ours);
    }
    if (leader_ <= 0) return;
    // A polite program ends when its input does.
    for (int i = 0; i < 20 && !has_ended(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    if (gone_) return;
    // Until the leader is reaped nobody else can get its number, so this reaches its group and no other. It may have left the group, or run
    // as somebody whom we may not end: then it is left alone, because nothing must wait for it.
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
      const ssize_t count = send(to_, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
      if (count > 0) {
        sent += static_cast<std::size_t>(count);
      } else if (count < 0 && errno == EINTR) {
        continue;
      } else if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
        if (has_ended() || !wait_for(to_, POLLOUT, until)) return false;
      } else {
        return false;
      }
    }
    return true;
  }

  // What came that nobody had asked for: its first line, or what there is of it.
  std::optional<std::string> unasked() {
    listen();
    if (heard_.empty()) return std::nullopt;
    return heard_.substr(0, heard_.find_first_of("\r\n"));
  }

  enum class Heard { line, late, end, endless };

  // All that it has said counts, also when it has ended since. But what it leaves behind does not speak for it.
  Heard hear(std::string& line, Clock::time_point until) {
    for (bool ended = false;;) {
      if (const auto end = heard_.find('\n'); end != std::string::npos) {
        line = heard_.substr(0, end);
        heard_.erase(0, end + 1);
        if (line.ends_with('\r')) line.pop_back();
        return Heard::line;
      }
      if (heard_.size() > longest_answer) return Heard::endless;
      const Came came = listen();
      if (came == Came::something) continue;  // what is there was said in time
      if (came == Came::end || ended) return Heard::end;
      if (Clock::now() >= until || cancelled_) return Heard::late;
      ended = has_ended();
      if (!ended && !wait_for(from_, POLLIN, until)) return Heard::late;
    }
  }

  // From another thread: wait no longer.
  void cancel() { cancelled_ = true; }

  // Looks without reaping: see the destructor.
  bool has_ended() {
    if (ending_ || gone_) return true;
    siginfo_t seen{};
    if (waitid(P_PID, static_cast<id_t>(leader_), &seen, WEXITED | WNOHANG | WNOWAIT) != 0) {
      gone_ = errno == ECHILD;
    } else if (seen.si_pid == leader_) {
      ending_ = seen;
    }
    return ending_ || gone_;
  }

  // How it ended, in words; it may take a moment until that is known. One that goes on has closed what was to be used.
  std::string ending(std::string_view closed) {
    for (int i = 0; i < 20 && !has_ended(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    if (gone_) return "ended";
    if (!ending_) return "closed its " + std::string(closed);
    if (ending_->si_code != CLD_EXITED) return std::string("was ended by the signal ") + strsignal(ending_->si_status);
    return "ended with code " + std::to_string(ending_->si_status) + (ending_->si_status == 127 ? " (is there such a command?)" : "");
  }

 private:
  enum class Came { something, nothing, end };
  Came listen() {
    std::array<char, 4096> part;
    const ssize_t count = read(from_, part.data(), part.size());
    if (count > 0) {
      heard_.append(part.data(), static_cast<std::size_t>(count));
      return Came::something;
    }
    return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) ? Came::nothing : Came::end;
  }

  // For a moment at most, so that whoever waits can look around. False when there is no more time.
  bool wait_for(int file, short what, Clock::time_point until) const {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
    if (left <= 0 || cancelled_) return false;
    pollfd waited{file, what, 0};
    return poll(&waited, 1, static_cast<int>(std::min<std::int64_t>(left + 1, 100))) >= 0 || errno == EINTR;
  }

  int to_ = -1, from_ = -1;
  pid_t leader_ = 0;  // of the group of whatever it starts
  std::optional<siginfo_t> ending_;
  bool gone_ = false;  // somebody else has heard how it ended, and its number may be another's by now
  std::atomic<bool> cancelled_ = false;
  std::string heard_, failure_;
};

class ProgramPlayer final : public Player {
 public:
  ProgramPlayer(std::string command, const ProgramClock& clock) : command_(std::move(command)), clock_(clock) {}

  ~ProgramPlayer() override {
    if (program_) program_->tell("{\"type\":\"end\"}\n", Clock::now());
  }

  Expected<Action> choose(const SeenMatch& match) override {
    if (turn_.begins(match.turns(), static_cast<int>(match.seats().size())) || clock_.per == ProgramClock::Per::answer) left_ = clock_.time;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(std::max(left_, Clock::duration{0}));
    Json events = match.events(told_);
    told_ += events.size();
    const Json question = {
        {"type", "choose"}, {"view", match.view()}, {"events", std::move(events)}, {"clock", {{"milliseconds", left.count()}}}};

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
      if (!program_->tell(hello(match), until)) return answered_or_gone(match, until);
    } else if (const auto said = program_->unasked()) {  // what was said to the hello is taken for the first answer
      return given_up("said " + excerpt(*said) + " before it was asked; each choose is answered with one line, and nothing else is");
    }
    if (!program_->tell(one_line(question) + "\n", until)) return answered_or_gone(match, until);
    std::string line;
    switch (program_->hear(line, until)) {
      case Program::Heard::line: break;
      case Program::Heard::late:
        return given_up("did not answer within " + std::to_string(allowed.count()) + " ms" +
                        (left < clock_.time ? ", when " + std::to_string(left.count()) + " ms were left of its turn" : ""));
      case Program::Heard::end: return given_up(program_->ending("standard output") + " instead of answering");
      case Program::Heard::endless: return given_up("sent more than a mebibyte without ending the line");
    }
    const auto spent = Clock::now() - begun;
    left_ -= started ? std::max(Clock::duration{0}, spent - clock_.to_start) : spent;
    seconds_ = std::chrono::duration<double>(spent).count();
    return understood(match, line);
  }

  Thoughts thoughts() const override { return {{}, 0, seconds_}; }

  void cancel() override {
    const std::lock_guard guard(lock_);
    if (program_) program_->cancel();
  }

 private:
  static std::string hello(const SeenMatch& match) {
    Json json = {
        {"type", "hello"}, {"protocol", program_protocol}, {"game", match.game()}, {"seat", match.name()}, {"seats", match.seats()}};
    json["scenario"] = {{"id", match.scenario_id()}};
    json["options"] = match.options();
    return one_line(json) + "\n";
  }

  Expected<Action> understood(const SeenMatch& match, const std::string& line) {
    if (line.empty()) return given_up("answered with an empty line, which is not a JSON object");
    const auto json = read_json(line, "");
    if (!json || !json->is_object()) return given_up("answered " + excerpt(line) + ", which is not a JSON object");
    const auto number = json->find("index"), said = json->find("action");
    if (number == json->end() && said == json->end()) return given_up("answered " + excerpt(line) + " without \"action\" or \"index\"");
    const auto legal = match.actions();
    if (number != json->end() && (!number->is_number_unsigned() || number->get<std::uint64_t>() >= legal.size())) {
      return given_up("answered the index " + as_said(*number) + ", but an index is a whole number from 0 to " +
                      std::to_string(legal.size() - 1) + " here");
    }
    if (said == json->end()) return legal[number->get<std::size_t>()];
    const auto action = said->is_string() ? match.from_words(said->get<std::string>()) : match.from_json(*said);
    if (!action) return given_up("answered the action " + as_said(*said) + ": " + action.error().text());
    if (!match.why_not(*action).empty()) {
      return given_up("answered the action " + as_said(*said) +
                      ", which is refused: " + match.say_why_not(*action, house_catalogue(match.game(), "en")));
    }
    if (number != json->end() && legal[number->get<std::size_t>()] != *action) {
      return given_up("answered the action " + as_said(*said) + " and the index " + as_said(*number) + ", which is " +
                      excerpt(match.words(legal[number->get<std::size_t>()])) + "; give one of the two");
    }
    return *action;
  }

  // It did not hear all of the question. If it is gone, what it had said by then was an answer all the same, however soon it went; one that
  // lives and does not listen has none.
  Expected<Action> answered_or_gone(const SeenMatch& match, Clock::time_point until) {
    if (Clock::now() >= until) return given_up("does not read its input");
    const std::string ending = program_->ending("standard input");
    std::string line;
    if (program_->has_ended() && program_->hear(line, Clock::now()) == Program::Heard::line) return understood(match, line);
    return given_up(ending + " instead of answering");
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
  std::mutex lock_;          // of the pointer, which is cancelled from another thread
  std::unique_ptr<Program> program_;
  std::size_t told_ = 0;
  double seconds_ = 0;
};

}  // namespace

std::unique_ptr<Player> make_program_player(const std::string& command, const ProgramClock& clock) {
  return std::make_unique<ProgramPlayer>(command, clock);
}

}  // namespace baton
