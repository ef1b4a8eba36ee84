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
  int exit_code = 0;         ///< its own, 128 + signal where a signal ended it
  int signal = 0;            ///< that signal, or 0
  bool interrupted = false;  ///< somebody asked ampprof to stop meanwhile

  std::int64_t ended_ns = 0;  ///< since 1970

  /// "exit code 3", "signal SIGSEGV (Segmentation fault)".
  std::string text() const;
};

/// Returns the exit code of a status as wait() gives it, 128 + signal where a signal ended the process.
int exit_code_from(int status);

/// Returns the nanoseconds since 1970.
std::int64_t now_ns();

/// Programs that run at once. One of these lives at a time.
///
/// SIGINT, SIGTERM, SIGHUP and SIGQUIT do not end ampprof while it lives: what a terminal sends reaches the programs by
/// itself, what a process sends to ampprof is passed on. When it goes, those that still run are asked to end.
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

  /// Starts a program with our stdin, stdout and stderr, or, where there is an `output`, with what it prints in that
  /// file and nothing to read. Throws UsageError if it cannot be started.
  pid_t start(const Program& program, const Environment& environment, const std::filesystem::path& output = {});

  /// Returns a program that has ended, as soon as there is one; nothing after `limit`, or as soon as the descriptor
  /// `also` can be read, unless that is -1.
  std::optional<Ended> wait(std::chrono::milliseconds limit, int also = -1);

  void send(pid_t child, int signal) const;
  /// Whether somebody asked ampprof to stop.
  bool interrupted() const { return interrupted_; }

 private:
  void pass_on_signals();
  std::optional<Ended> next_ended();

  sigset_t previous_mask_{};
  int signals_ = -1;  ///< descriptor that signals are read from
  std::vector<pid_t> running_;
  bool interrupted_ = false;
};

/// Starts a program with our stdin, stdout and stderr and waits for it, calling `meanwhile` every `interval`, and as
/// soon as the descriptor `also` can be read, unless that is -1. A program that has ended is told by the return alone.
/// Throws UsageError if the program cannot be started.
Ending run_program(const Program& program, const Environment& environment, std::chrono::milliseconds interval,
                   const std::function<void()>& meanwhile, int also = -1);

/// Runs a shell command, with what it prints on stderr and nothing to read. Returns false where there is no shell.
bool run_shell(const std::string& command, const Environment& environment);

}  // namespace ampprof::cli
