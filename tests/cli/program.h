// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/temporary_folder.h"

namespace ampprof::cli {

struct Outcome {
  int exit_code = -1;
  std::string out;
  std::string err;
};

/// Runs the built program, AMPPROF_PROGRAM, in a temporary folder.
class BuiltProgram : public testing::Test {
 protected:
  BuiltProgram() {
    for (const char* name : {"COLUMNS", "AMPPROF_FORMAT", "AMPPROF_OUTPUT", "AMPPROF_LIMIT"}) unsetenv(name);
    std::filesystem::create_directory(work(""));
  }

  std::filesystem::path work(const std::string& name) const { return folder_.path() / "work" / name; }

  /// Runs ampprof in a shell. `before` sets environment variables or begins a pipe.
  Outcome ampprof(const std::string& arguments, const std::string& before = "") const {
    return shell(before + " '" AMPPROF_PROGRAM "' " + arguments);
  }

  Outcome shell(const std::string& command) const {
    const std::string whole = "cd '" + work("").string() + "' && { " + command + "; } >'" + (folder_ / "out").string() +
                              "' 2>'" + (folder_ / "err").string() + "'";
    const int status = std::system(whole.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, test_support::bytes_of(folder_ / "out"),
            test_support::bytes_of(folder_ / "err")};
  }

  test_support::TemporaryFolder folder_;
};

}  // namespace ampprof::cli
