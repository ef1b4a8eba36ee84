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
  int exit_code = 0;         ///< of the program, or 128 + signal
  int signal = 0;            ///< signal that ended the program, or 0
  bool interrupted = false;  ///< ampprof was asked to stop during the run

  std::int64_t ended_ns = 0;  ///< since 1970

  /// Returns "exit code 3", "signal SIGSEGV (Segmentation fault)".
  std::string text() const;
};

/// Returns the exit code in a status from wait(); 128 + signal if a signal ended the process.
int exit_code_from(int status);

/// Returns the nanoseconds since 1970.
std::int64_t now_ns();

/// Programs that run at the same time. At most one instance of this class may exist at a time.
///
/// While an instance exists, SIGINT, SIGTERM, SIGHUP and SIGQUIT do not end ampprof. Signals of a terminal reach the
/// programs directly; a signal that a process sends to ampprof is forwarded to them. The destructor asks running
/// programs to end.
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

  /// Starts a program with ampprof's stdin, stdout and stderr. With `output`, its stdout and stderr go into that file,
  /// and its stdin is empty. Throws UsageError if it cannot be started.
  pid_t start(const Program& program, const Environment& environment, const std::filesystem::path& output = {});

  /// Waits until a program ends, and returns its ending. Returns nothing after `limit`, or when the descriptor `also`
  /// becomes readable (-1 for none).
  std::optional<Ended> wait(std::chrono::milliseconds limit, int also = -1);

  void send(pid_t child, int signal) const;
  /// Returns whether ampprof was asked to stop.
  bool interrupted() const { return interrupted_; }

 private:
  void pass_on_signals();
  std::optional<Ended> next_ended();

  sigset_t previous_mask_{};
  int signals_ = -1;  ///< descriptor that signals are read from
  std::vector<pid_t> running_;
  bool interrupted_ = false;
};

/// Starts a program with ampprof's stdin, stdout and stderr and waits for it. Calls `meanwhile` every `interval`, and
/// when the descriptor `also` becomes readable (-1 for none), until the program ends. Throws UsageError if the program
/// cannot be started.
Ending run_program(const Program& program, const Environment& environment, std::chrono::milliseconds interval,
                   const std::function<void()>& meanwhile, int also = -1);

/// Runs a shell command without input, with its output on stderr. Returns false without a shell.
bool run_shell(const std::string& command, const Environment& environment);

}  // namespace ampprof::cli
