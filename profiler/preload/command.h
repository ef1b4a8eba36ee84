// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace ampprof::preload {

/// Holds what a program said before it ended.
struct Answer {
  int exit_code = 0;  ///< 127 where it could not be started
  std::string out;
  std::string err;
};

/// Runs the command line that is installed beside this library, and waits. Few words are expected on stderr: it is read
/// when stdout has ended.
/// `variables`, "NAME=value", come before those of this process.
Answer ask_ampprof(const std::vector<std::string>& words, const std::vector<std::string>& variables = {});

}  // namespace ampprof::preload
