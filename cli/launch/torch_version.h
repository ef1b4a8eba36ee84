// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/launch/installation.h"

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

/// The version for programs of ampprof's own, samples and the runner: the one asked for, else the one that ampprof was
/// built for first, else the newest; "" where none is served. Throws UsageError where the one asked for is not served.
std::string own_torch(const std::string& asked, const Installation& installation);

}  // namespace ampprof::cli
