// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/launch/run/environment.h"

namespace ampprof::cli {

/// How a program ended.
struct Ending {
  int exit_code = 0;         ///< its own, or 128 + signal
  int signal = 0;            ///< that signal, or 0
  bool interrupted = false;  ///< somebody asked ampprof to stop meanwhile

  std::int64_t ended_ns = 0;  ///< since 1970

  /// Returns "exit code 3", "signal SIGSEGV (Segmentation fault)".
  std::string text() const;
};

/// Returns the exit code of a status as wait() gives it; 128 + signal for a signal.
int exit_code_from(int status);

/// Returns the nanoseconds since 1970.
std::int64_t now_ns();

/// Programs that run at the same time. Only one instance may live at a time.
///
/// While it lives, SIGINT, SIGTERM, SIGHUP and SIGQUIT do not end ampprof. Signals of a terminal reach the programs
/// directly; a signal that a process sends to ampprof is passed on. The destructor asks running programs to end.
class [[nodiscard]] Children {
 public:
  struct Ended {
    pid_t child = 0;
    Ending ending;
  };

  Children();
  ~Children();
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;

  /// Starts a program with our stdin, stdout and stderr. With `output`, writes its output into that file and gives it
  /// no input. Throws UsageError if it cannot be started.
  pid_t start(const Program& program, const Environment& environment, const std::filesystem::path& output = {});

  /// Returns a program that has ended, as soon as there is one. Returns nothing after `limit`, or when the descriptor
  /// `also` becomes readable, unless it is -1.
  std::optional<Ended> wait(std::chrono::milliseconds limit, int also = -1);

  void send(pid_t child, int signal) const;
  /// Returns whether somebody asked ampprof to stop.
  bool interrupted() const { return interrupted_; }

 private:
  void pass_on_signals();
  std::optional<Ended> next_ended();

  sigset_t previous_mask_{};
  int signals_ = -1;  ///< descriptor that signals are read from
  std::vector<pid_t> running_;
  bool interrupted_ = false;
};

/// Starts a program with our stdin, stdout and stderr and waits for it. Calls `meanwhile` every `interval`, and when
/// the descriptor `also` becomes readable, unless it is -1. Does not call it for the end of the program. Throws
/// UsageError if the program cannot be started.
Ending run_program(const Program& program, const Environment& environment, std::chrono::milliseconds interval,
                   const std::function<void()>& meanwhile, int also = -1);

/// Runs a shell command without input, with its output on stderr. Returns false without a shell.
bool run_shell(const std::string& command, const Environment& environment);

}  // namespace ampprof::cli
