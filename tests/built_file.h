// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace ampprof::test_support {

/// Returns where a program or library of the build is now. Programs may have been carried to another machine without
/// the build (scripts/gpu-pack), so a file of that name beside this program, or in lib/ beside its folder, comes first,
/// or in the folder of lib/ that is called as the file's was: torch-2.11.0.
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
