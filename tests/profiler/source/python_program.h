// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <stdio.h>
#include <sys/wait.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/temporary_folder.h"

namespace ampprof::profiler {

inline constexpr const char* kAsk = R"(
import ctypes, sys
def ask(function="line_here", load=ctypes.CDLL, torch=""):
    found = getattr(load(sys.argv[1]), function)
    found.restype = ctypes.c_char_p
    return found(torch.encode()).decode()
)";

/// A Python program of several files that asks for its own source place.
class PythonProgram : public testing::Test {
 protected:
  PythonProgram() { write("site-packages/helper/ask.py", kAsk); }

  void write(const std::string& file, const std::string& text) const {
    const std::filesystem::path path = folder_.path() / file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }

  /// Returns what a file of the program prints, without the path of the program's folder.
  std::string printed_by(const std::string& file) const {
    const std::string command = "PYTHONPATH=" + folder_.path().string() + "/site-packages:" + folder_.path().string() +
                                " PYTHONDONTWRITEBYTECODE=1 python3 " + (folder_.path() / file).string() + " " +
                                PYTHON_LINE_PROBE + " 2>&1";
    FILE* pipe = popen(command.c_str(), "r");
    std::string text;
    std::array<char, 4096> block;
    while (const std::size_t size = fread(block.data(), 1, block.size(), pipe)) text.append(block.data(), size);
    EXPECT_EQ(pclose(pipe), 0) << text;
    const std::string own = folder_.path().string() + "/";
    for (std::size_t at = text.find(own); at != std::string::npos; at = text.find(own)) text.erase(at, own.size());
    return text;
  }

  std::string folder() const { return folder_.path().string(); }

 private:
  test_support::TemporaryFolder folder_;
};

}  // namespace ampprof::profiler
