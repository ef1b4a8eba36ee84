// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "tests/temporary_folder.h"

namespace ampprof::testing {

using test_support::bytes_of;
using test_support::TemporaryFolder;

struct CommandResult {
  int exit_code = 0;  ///< 128 + signal, as in a shell, if a signal ended the command
  std::string out;
  std::string err;
};

/// Runs a shell line in `folder` and waits for it.
CommandResult run_command(const std::string& line, const std::filesystem::path& folder);

/// Runs a shell line in a temporary folder and waits for it. Runs each line only once, so its result must be
/// reproducible.
const CommandResult& run_once(const std::string& line);

/// Return paths of built files and scripts, for shell lines. AMPPROF_TEST_SCRIPTS overrides the folder of scripts.
std::string ampprof();
std::string program(const std::string& name);
std::string script(const std::string& name);
/// Returns the Python whose LibTorch ampprof was built for, or AMPPROF_TEST_PYTHON if set. Empty if it does not exist.
std::string python();
/// Returns the folder of the Python module `ampprof`.
std::string python_modules();

}  // namespace ampprof::testing
