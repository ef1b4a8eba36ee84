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

  void wait(std::chrono::milliseconds limit) const {
    pollfd waiting{descriptor_, POLLIN, 0};
    poll(&waiting, 1, static_cast<int>(limit.count()));
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
  if (WIFSIGNALED(status)) return {128 + WTERMSIG(status), WTERMSIG(status)};
  return {WEXITSTATUS(status)};
}

}  // namespace

std::string Ending::text() const {
  if (signal == 0) return fmt::format("exit code {}", exit_code);
  const char* name = sigabbrev_np(signal);
  return fmt::format("signal SIG{} ({})", name != nullptr ? name : std::to_string(signal), strsignal(signal));
}

Ending run_program(const Program& program, const Environment& environment, std::chrono::milliseconds interval,
                   const std::function<void()>& meanwhile) {
  const SignalReader signals;
  const pid_t child = start(program, environment, signals.previous_mask());
  bool interrupted = false;
  while (true) {
    signals.wait(interval);
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
