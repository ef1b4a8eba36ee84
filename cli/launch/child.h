// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "cli/launch/environment.h"

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

/// Starts a program with our stdin, stdout and stderr and waits for it, calling `meanwhile` every `interval`, and as
/// soon as the descriptor `also` can be read, unless that is -1. A program that has ended is told by the return alone.
///
/// SIGINT, SIGTERM, SIGHUP and SIGQUIT do not end ampprof while it waits: what a terminal sends reaches the program
/// by itself, what a process sends to ampprof is passed on. Throws UsageError if the program cannot be started.
Ending run_program(const Program& program, const Environment& environment, std::chrono::milliseconds interval,
                   const std::function<void()>& meanwhile, int also = -1);

}  // namespace ampprof::cli
