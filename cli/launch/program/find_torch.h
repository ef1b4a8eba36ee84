// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/launch/program/installation.h"

/// Where a LibTorch is on this machine.
namespace ampprof::cli {

struct Torch {
  std::string version;        ///< "2.11.0"
  std::filesystem::path lib;  ///< folder of its libraries
};

/// Returns the folder of the torch that an interpreter, with its arguments, would import: "" where it has none, nothing
/// where it does not run Python code.
std::optional<std::filesystem::path> torch_of_python(const std::vector<std::string>& interpreter);

/// Finds a LibTorch for programs of ampprof's own: samples, the runner of TorchScript files, the probe. It is of the
/// version asked for, or of any that is served where none is. The loader's comes first (a build tree's programs know
/// theirs), then that of LIBTORCH, the one beside the Python package ampprof, and python3's. Throws UsageError that
/// says what is missing; nothing is found where ampprof was built without LibTorch.
std::optional<Torch> find_own_torch(const std::string& asked, const Installation& installation);

}  // namespace ampprof::cli
