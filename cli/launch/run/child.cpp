// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/run/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "reports/text/exit_text.h"
#include "reports/text/usage_error.h"

namespace ampprof::cli {
namespace {

constexpr int kAskedToStop[]{SIGINT, SIGTERM, SIGHUP, SIGQUIT};

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// Signal mask, signal handlers and redirections of a started program.
class [[nodiscard]] SpawnSettings {
 public:
  SpawnSettings(const sigset_t& mask, const std::filesystem::path& output) {
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &mask);
    sigset_t ours;  // main() ignores SIGXFSZ; the program must not inherit that
    sigemptyset(&ours);
    sigaddset(&ours, SIGXFSZ);
    posix_spawnattr_setsigdefault(&attributes, &ours);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawn_file_actions_init(&files);
    if (output.empty()) return;
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND,
                                     0600);
    posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  posix_spawnattr_t attributes{};
  posix_spawn_file_actions_t files{};
};

// A terminal sends its signals to the whole process group, so the program has received them already.
bool must_be_passed_on(const signalfd_siginfo& info) { return info.ssi_code != SI_KERNEL; }

Ending ending_from(int status) {
  Ending ending;
  ending.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  ending.exit_code = exit_code_from(status);
  ending.ended_ns = now_ns();
  return ending;
}

}  // namespace

std::string Ending::text() const {
  return signal == 0 ? fmt::format("exit code {}", exit_code) : text::signal_text(signal);
}

int exit_code_from(int status) { return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status); }

std::int64_t now_ns() {
  using std::chrono::system_clock;
  return std::chrono::duration_cast<std::chrono::nanoseconds>(system_clock::now().time_since_epoch()).count();
}

Children::Children() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGCHLD);
  for (const int signal : kAskedToStop) sigaddset(&signals, signal);
  sigprocmask(SIG_BLOCK, &signals, &previous_mask_);
  signals_ = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

Children::~Children() {
  for (const pid_t child : running_) send(child, SIGTERM);
  close(signals_);
  sigprocmask(SIG_SETMASK, &previous_mask_, nullptr);
}

pid_t Children::start(const Program& program, const Environment& environment, const std::filesystem::path& output) {
  const SpawnSettings settings(previous_mask_, output);
  pid_t child = 0;
  const int error = posix_spawn(&child, program.executable.c_str(), &settings.files, &settings.attributes,
                                pointers_to(program.arguments).data(), pointers_to(environment).data());
  if (error != 0) {
    throw text::UsageError(fmt::format("Cannot start '{}': {}.", program.executable.string(), strerror(error)));
  }
  running_.push_back(child);
  return child;
}

void Children::send(pid_t child, int signal) const { kill(child, signal); }

void Children::pass_on_signals() {
  for (signalfd_siginfo info{}; read(signals_, &info, sizeof(info)) == sizeof(info);) {
    if (info.ssi_signo == SIGCHLD) continue;
    interrupted_ = true;
    if (!must_be_passed_on(info)) continue;
    for (const pid_t child : running_) send(child, static_cast<int>(info.ssi_signo));
  }
}

std::optional<Children::Ended> Children::next_ended() {
  for (const pid_t child : running_) {
    int status = 0;
    if (waitpid(child, &status, WNOHANG) != child) continue;
    std::erase(running_, child);
    Ended ended{.child = child, .ending = ending_from(status)};
    ended.ending.interrupted = interrupted_;
    return ended;
  }
  return std::nullopt;
}

std::optional<Children::Ended> Children::wait(std::chrono::milliseconds limit, int also) {
  if (auto ended = next_ended()) return ended;                                // one SIGCHLD may report several ends
  std::array<pollfd, 2> waiting{{{signals_, POLLIN, 0}, {also, POLLIN, 0}}};  // poll() skips -1
  poll(waiting.data(), waiting.size(), static_cast<int>(limit.count()));
  pass_on_signals();
  return next_ended();
}

Ending run_program(const Program& program, const Environment& environment, std::chrono::milliseconds interval,
                   const std::function<void()>& meanwhile, int also) {
  Children children;
  children.start(program, environment);
  while (true) {
    if (const auto ended = children.wait(interval, also)) return ended->ending;
    meanwhile();
  }
}

bool run_shell(const std::string& command, const Environment& environment) {
  const std::vector<std::string> words{"sh", "-c", fmt::format("{{ {}\n}} </dev/null >&2", command)};
  sigset_t none;  // unblocks the signals that Children blocks
  sigemptyset(&none);
  const SpawnSettings settings(none, {});
  pid_t child = 0;
  const int error = posix_spawn(&child, "/bin/sh", &settings.files, &settings.attributes, pointers_to(words).data(),
                                pointers_to(environment).data());
  return error == 0 && waitpid(child, nullptr, 0) == child;
}

}  // namespace ampprof::cli
