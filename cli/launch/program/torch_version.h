// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/launch/program/installation.h"

/// Determines the version of a program's LibTorch, and whether it is served: whether ampprof has a recorder for it.
/// Versions are without their build suffix: "2.11.0" for "2.11.0+cu130".
namespace ampprof::cli {

/// Returns the version of the LibTorch whose libraries lie in `lib`. Reads it from files that the Python package or the
/// C++ archive put beside them; "" if there are none.
std::string torch_version_of(const std::filesystem::path& lib);

/// Throws UsageError if `version` is not served. `who` names the program in the error, such as "'./train'". An unknown
/// version ("") passes, and every version passes if ampprof was built without LibTorch.
void check_supported(const std::string& version, const std::string& who, const Installation& installation);

/// Returns a sentence which says that `version` is not served and which versions are. It begins with `lead`, such as
/// "'./train' uses".
std::string unsupported_version_text(const std::string& lead, const std::string& version,
                                     const std::vector<std::string>& served);

/// Returns the remedy for a version that is not served.
std::string how_to_support(const std::string& version, const std::vector<std::string>& served);

/// Returns the served versions: the one that ampprof was built for, then the others, newest first.
std::vector<std::string> supported_versions(const Installation& installation);

/// Returns `version`, or the first of supported_versions() if `version` is unknown (""). Returns "" if none is served.
std::string version_or_default(const std::string& version, const Installation& installation);

}  // namespace ampprof::cli
