// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace ampprof::preload {

/// The output of a program that has ended.
struct Answer {
  int exit_code = 0;  ///< 127 if the program could not be started
  std::string out;
  std::string err;  ///< never empty if the exit code is not 0
};

/// Runs the ampprof command line that is installed with this library, and waits. `variables`, each "NAME=value", take
/// precedence over the environment of this process. If the program ignores SIGCHLD, or reaps processes that it did not
/// start, the exit code is lost: an empty stderr then means success.
Answer ask_ampprof(const std::vector<std::string>& words, const std::vector<std::string>& variables = {});

}  // namespace ampprof::preload
