// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ampprof::cli {

/// Returns whether the source of a Python script imports `apex`. Reads its lines without running it.
bool imports_apex(const std::filesystem::path& script);

/// Returns whether a Python command runs a script on amp_core's `apex`: the script or a source in its folder imports
/// `apex`, and the interpreter finds ampprof's package of that name. NVIDIA's own Apex does not use amp_core.
bool runs_on_apex(const std::vector<std::string>& command, const std::vector<std::string>& interpreter);

}  // namespace ampprof::cli
