// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/recording/stub_variables.h"

namespace ampprof::cli {

/// Files for one version of LibTorch, in a folder such as lib/torch-2.11.0/.
struct TorchFolder {
  std::filesystem::path path;

  std::filesystem::path recorder() const { return path / recording::kRecorder; }
  std::filesystem::path runner() const { return path / "ampprof-runner"; }
  std::filesystem::path probe() const { return path / "ampprof-probe"; }
  std::filesystem::path sample(const std::string& program) const { return path / program; }
  /// Names of LibTorch's operators, one per line.
  std::filesystem::path operators() const { return path / "operators.txt"; }
};

/// Locations of ampprof's own files, relative to its executable. A build tree has the layout of an installation.
struct Installation {
  std::filesystem::path bin;
  std::filesystem::path lib;
  std::filesystem::path share;

  /// Returns the installation of the running program.
  static Installation own();
  static Installation of(const std::filesystem::path& executable);

  /// Returns the versions of LibTorch that have a TorchFolder, ascending: "2.9.1", "2.11.0".
  std::vector<std::string> torch_versions() const;
  TorchFolder for_torch(const std::string& version) const { return {lib / (recording::kTorchFolderPrefix + version)}; }

  std::filesystem::path preload_stub() const { return lib / "libampprof_preload.so"; }
  std::filesystem::path gui() const { return bin / "ampprof-gui"; }
  std::filesystem::path samples() const { return share / "samples.json"; }
  std::filesystem::path python_hooks() const { return share / "python" / "ampprof_hooks.py"; }
};

}  // namespace ampprof::cli
