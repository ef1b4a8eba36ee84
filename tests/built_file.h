// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace ampprof::test_support {

/// Returns the current path of a built program or library. scripts/gpu-pack copies programs to machines without the
/// build folder, so the file is first sought beside this program, then in ../lib and in the subfolder of ../lib that
/// contained it in the build (such as torch-2.11.0), and last at its path in the build.
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
