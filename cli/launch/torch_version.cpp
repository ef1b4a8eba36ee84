// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/torch_version.h"

#include <fstream>
#include <regex>

#ifndef AMPPROF_BUILT_FOR_TORCH
#define AMPPROF_BUILT_FOR_TORCH ""
#endif

namespace ampprof::cli {
namespace {

struct Source {
  const char* file;  // beside lib/
  const char* line;  // regular expression; group 1 is the version
};

constexpr Source kSources[]{
    {"version.py", R"(^__version__\s*=\s*['"](\d+\.\d+(\.\d+)?))"},
    {"build-version", R"(^(\d+\.\d+(\.\d+)?))"},
    {"share/cmake/Torch/TorchConfigVersion.cmake", R"(PACKAGE_VERSION\s+"(\d+\.\d+(\.\d+)?))"},
};

std::string version_in(const std::filesystem::path& file, const std::regex& pattern) {
  std::ifstream stream(file);
  std::smatch match;
  for (std::string line; std::getline(stream, line);) {
    if (std::regex_search(line, match, pattern)) return match[1];
  }
  return "";
}

}  // namespace

std::string_view built_for_torch() { return AMPPROF_BUILT_FOR_TORCH; }

std::string torch_version_of(const std::filesystem::path& lib) {
  const auto root = lib.parent_path();
  for (const auto& [file, line] : kSources) {
    if (auto version = version_in(root / file, std::regex(line)); !version.empty()) return version;
  }
  return "";
}

}  // namespace ampprof::cli
