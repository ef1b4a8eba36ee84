// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdio.h>
#include <sys/wait.h>

#include <array>
#include <string>

namespace ampprof::test_support {

/// Returns a program's standard output, followed by its exit status if that is not 0. NVTX initializes once per
/// process, so each case needs its own process. `tool` is the file for NVTX_INJECTION64_PATH, or "" for none.
inline std::string output_of(const std::string& command, const std::string& tool, const std::string& before = "") {
  const std::string variable = tool.empty() ? "env -u NVTX_INJECTION64_PATH " : "NVTX_INJECTION64_PATH='" + tool + "' ";
  FILE* pipe = popen((before + ' ' + variable + command).c_str(), "r");
  std::string text;
  std::array<char, 4096> block;
  while (const std::size_t size = fread(block.data(), 1, block.size(), pipe)) text.append(block.data(), size);
  const int status = pclose(pipe);
  return status == 0 ? text : text + "ended with status " + std::to_string(status) + '\n';
}

}  // namespace ampprof::test_support
