// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "tests/temporary_folder.h"

namespace ampprof::testing {

using test_support::bytes_of;
using test_support::TemporaryFolder;

struct CommandResult {
  int exit_code = 0;  ///< 128 + signal where a signal ended it, as a shell says
  std::string out;
  std::string err;
};

/// Runs a line of shell in `folder` and waits.
CommandResult run_command(const std::string& line, const std::filesystem::path& folder);

/// Runs a line that has the same result each time, in a folder of its own, and waits. The same line again is not run.
const CommandResult& run_once(const std::string& line);

/// Paths of what was built, for shell lines. AMPPROF_TEST_SCRIPTS and AMPPROF_TEST_PYTHON say where scripts and Python
/// are now.
std::string ampprof();
std::string program(const std::string& name);
std::string script(const std::string& name);
/// The Python that has the LibTorch which ampprof was built for; empty where there is none.
std::string python();
/// The folder of the Python module `ampprof`.
std::string python_modules();

}  // namespace ampprof::testing
