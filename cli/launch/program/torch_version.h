// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/launch/program/installation.h"

/// Which LibTorch a program uses, and whether ampprof serves it: has what is bound to that version. Versions are
/// without their build suffix, "2.11.0".
namespace ampprof::cli {

/// The version of the LibTorch whose libraries lie in `lib`. Read from the files that the Python package or the C++
/// archive puts beside them; "" where none says.
std::string torch_version_of(const std::filesystem::path& lib);

/// Throws UsageError where `who`, "'./train'" say, uses a version that is not served. An unknown one ("") passes, and
/// any does where ampprof was built without LibTorch.
void check_served(const std::string& version, const std::string& who, const Installation& installation);

/// Says that a version is not served, and which are; `lead` is what comes before its name, "'./train' uses".
std::string not_served(const std::string& lead, const std::string& version, const std::vector<std::string>& served);

/// Says what to do about a version that is not served.
std::string how_to_serve(const std::string& version, const std::vector<std::string>& served);

/// The versions that are served: the one that ampprof was built for, then the others from the newest on.
std::vector<std::string> by_preference(const Installation& installation);

/// The version itself, or, where it is unknown (""), the one that is preferred; "" where none is served.
std::string known_or_preferred(const std::string& version, const Installation& installation);

}  // namespace ampprof::cli
