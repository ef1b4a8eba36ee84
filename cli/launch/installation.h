// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace ampprof::cli {

/// Where this ampprof's own files are: beside its executable, in a build tree as in an installation.
struct Installation {
  std::filesystem::path bin;
  std::filesystem::path lib;
  std::filesystem::path share;

  /// Returns the installation of the running program.
  static Installation own();
  static Installation of(const std::filesystem::path& executable);

  std::filesystem::path recorder() const { return lib / "libampprof.so"; }
  std::filesystem::path preload_stub() const { return lib / "libampprof_preload.so"; }
  std::filesystem::path runner() const { return bin / "ampprof-runner"; }
  std::filesystem::path probe() const { return bin / "ampprof-probe"; }
  std::filesystem::path gui() const { return bin / "ampprof-gui"; }
  std::filesystem::path samples() const { return share / "samples.json"; }
  std::filesystem::path python_hooks() const { return share / "python" / "ampprof_hooks.py"; }
};

}  // namespace ampprof::cli
