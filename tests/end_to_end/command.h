// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace ampprof::testing {

struct CommandResult {
  int exit_code = 0;  ///< 128 + signal where a signal ended it, as a shell says
  std::string out;
  std::string err;
};

/// Runs a line of shell in `folder` and waits.
CommandResult run_command(const std::string& line, const std::filesystem::path& folder);

std::string contents(const std::filesystem::path& file);

/// A folder that is removed with its contents.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Paths of what was built, for shell lines.
std::string ampprof();
std::string program(const std::string& name);
std::string script(const std::string& name);
/// The Python that has the LibTorch which ampprof was built for; empty where there is none.
std::string python();

}  // namespace ampprof::testing
