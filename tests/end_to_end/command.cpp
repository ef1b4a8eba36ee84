// SPDX-License-Identifier: Apache-2.0
#include "tests/end_to_end/command.h"

#include <sys/wait.h>

#include <cstdlib>
#include <map>

#include "tests/built_file.h"

namespace ampprof::testing {
namespace {

// Unsets variables of the caller's environment that would change the programs under test.
constexpr const char* kClean =
    "unset AMP_OPT_LEVEL LD_PRELOAD $(env | grep -o '^AMPPROF_[A-Z_]*' | grep -v AMPPROF_TEST) 2>/dev/null; ";

std::string variable_or(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : value;
}

}  // namespace

CommandResult run_command(const std::string& line, const std::filesystem::path& folder) {
  const TemporaryFolder capture;
  const auto out = capture.path() / "out";
  const auto err = capture.path() / "err";
  const std::string shell =
      "cd '" + folder.string() + "' && { " + kClean + line + " ; } >'" + out.string() + "' 2>'" + err.string() + "'";
  const int status = std::system(shell.c_str());
  const int exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return {exit_code, bytes_of(out), bytes_of(err)};
}

const CommandResult& run_once(const std::string& line) {
  static std::map<std::string, CommandResult> results;
  const auto [at, is_new] = results.try_emplace(line);
  if (is_new) at->second = run_command(line, TemporaryFolder().path());
  return at->second;
}

std::string ampprof() { return program("ampprof"); }

std::string program(const std::string& name) {
  const std::string bound = test_support::built_file(AMPPROF_TEST_BOUND "/" + name);
  return std::filesystem::exists(bound) ? bound : test_support::built_file(AMPPROF_TEST_BIN "/" + name);
}

std::string script(const std::string& name) {
  return variable_or("AMPPROF_TEST_SCRIPTS", AMPPROF_TEST_SCRIPTS) + "/" + name;
}

std::string python() {
  const std::string path = variable_or("AMPPROF_TEST_PYTHON", AMPPROF_TEST_PYTHON);
  return std::filesystem::exists(path) ? path : "";
}

std::string python_modules() {
  return std::filesystem::path(ampprof()).parent_path().parent_path() / "share/ampprof/python";
}

}  // namespace ampprof::testing
