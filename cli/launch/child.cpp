// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/child.h"

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

/// While it lives, the signals that end programs, and SIGCHLD, are read from a descriptor.
class [[nodiscard]] SignalReader {
 public:
  SignalReader() {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGCHLD);
    for (const int signal : kAskedToStop) sigaddset(&signals_, signal);
    sigprocmask(SIG_BLOCK, &signals_, &previous_);
    descriptor_ = signalfd(-1, &signals_, SFD_CLOEXEC | SFD_NONBLOCK);
  }
  ~SignalReader() {
    close(descriptor_);
    sigprocmask(SIG_SETMASK, &previous_, nullptr);
  }
  SignalReader(const SignalReader&) = delete;
  SignalReader& operator=(const SignalReader&) = delete;

  const sigset_t& previous_mask() const { return previous_; }

  /// Waits for a signal or for the descriptor `also`; poll() passes over -1.
  void wait(std::chrono::milliseconds limit, int also) const {
    std::array<pollfd, 2> waiting{{{descriptor_, POLLIN, 0}, {also, POLLIN, 0}}};
    poll(waiting.data(), waiting.size(), static_cast<int>(limit.count()));
  }

  /// Whether a signal was there; its details are in `info`.
  bool next(signalfd_siginfo& info) const { return read(descriptor_, &info, sizeof(info)) == sizeof(info); }

 private:
  sigset_t signals_{};
  sigset_t previous_{};
  int descriptor_ = -1;
};

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

pid_t start(const Program& program, const Environment& environment, const sigset_t& mask) {
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &mask);
  sigset_t ours;  // main() ignores it, and the program must not find it so
  sigemptyset(&ours);
  sigaddset(&ours, SIGXFSZ);
  posix_spawnattr_setsigdefault(&attributes, &ours);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  pid_t child = 0;
  const int error = posix_spawn(&child, program.executable.c_str(), nullptr, &attributes,
                                pointers_to(program.arguments).data(), pointers_to(environment).data());
  posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    throw text::UsageError(fmt::format("'{}' cannot be started: {}.", program.executable.string(), strerror(error)));
  }
  return child;
}

// A terminal sends its signals to the whole process group, so the program has them already.
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

Ending run_program(const Program& program, const Environment& environment, std::chrono::milliseconds interval,
                   const std::function<void()>& meanwhile, int also) {
  const SignalReader signals;
  const pid_t child = start(program, environment, signals.previous_mask());
  bool interrupted = false;
  while (true) {
    signals.wait(interval, also);
    for (signalfd_siginfo info{}; signals.next(info);) {
      if (info.ssi_signo == SIGCHLD) continue;
      interrupted = true;
      if (must_be_passed_on(info)) kill(child, static_cast<int>(info.ssi_signo));
    }
    int status = 0;
    if (waitpid(child, &status, WNOHANG) == child) {
      Ending ending = ending_from(status);
      ending.interrupted = interrupted;
      return ending;
    }
    meanwhile();
  }
}

}  // namespace ampprof::cli
