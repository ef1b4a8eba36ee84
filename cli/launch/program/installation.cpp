// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/program/installation.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

namespace ampprof::cli {
namespace {

using Numbers = std::array<int, 3>;

/// Returns {2, 11, 0} for "2.11.0"; zeros for other text.
Numbers numbers_of(const std::string& version) {
  Numbers numbers{};
  const int count = std::sscanf(version.c_str(), "%d.%d.%d", &numbers[0], &numbers[1], &numbers[2]);
  return count == 3 ? numbers : Numbers{};
}

}  // namespace

Installation Installation::own() { return of(std::filesystem::read_symlink("/proc/self/exe")); }

Installation Installation::of(const std::filesystem::path& executable) {
  const auto bin = executable.parent_path();
  const auto root = bin.parent_path();
  return {bin, root / "lib", root / "share" / "ampprof"};
}

std::vector<std::string> Installation::torch_versions() const {
  std::vector<std::string> versions;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(lib, none)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with(recording::kTorchFolderPrefix)) continue;
    const std::string version = name.substr(std::string_view(recording::kTorchFolderPrefix).size());
    if (numbers_of(version) != Numbers{}) versions.push_back(version);
  }
  std::ranges::sort(versions, {}, numbers_of);
  return versions;
}

}  // namespace ampprof::cli
