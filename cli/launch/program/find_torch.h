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

/// Returns the folder of the package `torch` that a Python interpreter would import when started with these arguments.
/// Returns "" if the interpreter finds no torch, and nullopt if the command cannot run Python code.
std::optional<std::filesystem::path> torch_of_python(const std::vector<std::string>& interpreter);

/// Finds a LibTorch of version `asked` for ampprof's own programs: samples, the runner of TorchScript files, the probe.
/// If `asked` is "", any version is accepted for which ampprof has a recorder. Searches in this order: the library that
/// the loader resolves (programs in a build tree have a run path), LIBTORCH, the torch beside the Python package
/// ampprof, and the torch of python3. Throws UsageError if none is found. Returns nullopt if ampprof was built without
/// LibTorch.
std::optional<Torch> find_own_torch(const std::string& asked, const Installation& installation);

}  // namespace ampprof::cli
