// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/launch/program/installation.h"

/// A LibTorch on this machine.
namespace ampprof::cli {

struct Torch {
  std::string version;        ///< "2.11.0"
  std::filesystem::path lib;  ///< folder of its libraries
};

/// Returns the folder of the torch that an interpreter with its arguments would import. "" if it has none; empty if it
/// does not run Python code.
std::optional<std::filesystem::path> torch_of_python(const std::vector<std::string>& interpreter);

/// Finds a LibTorch for ampprof's own programs: samples, the runner of TorchScript files, the probe. It has the
/// requested version, else any version that is served. The order is: the loader's (programs of a build tree know
/// theirs), LIBTORCH, the one beside the Python package ampprof, and python3's. Throws UsageError that names what is
/// missing. Finds nothing if ampprof was built without LibTorch.
std::optional<Torch> find_own_torch(const std::string& asked, const Installation& installation);

}  // namespace ampprof::cli
