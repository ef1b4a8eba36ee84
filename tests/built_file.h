// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace ampprof::test_support {

/// Returns the present path of a built program or library. Programs may have been copied to another machine without the
/// build (scripts/gpu-pack). So a file of that name beside this program comes first, then one in lib/ beside its
/// folder, or in the subfolder of lib/ that had the file in the build: torch-2.11.0.
inline std::string built_file(const std::filesystem::path& when_built) {
  std::error_code error;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  const auto lib = folder.parent_path() / "lib";
  for (const auto& place : {folder, lib, lib / when_built.parent_path().filename()}) {
    if (const auto file = place / when_built.filename(); std::filesystem::exists(file, error)) return file;
  }
  return when_built;
}

}  // namespace ampprof::test_support
