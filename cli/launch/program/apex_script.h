// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ampprof::cli {

/// Returns whether the source of a Python script imports `apex`. Reads its lines; nothing runs.
bool imports_apex(const std::filesystem::path& script);

/// Returns whether a command of Python runs a script on amp_core's `apex`: a script that it names, or a source in that
/// one's folder, imports `apex`, and the interpreter finds the package of ampprof by that name. NVIDIA's own Apex knows
/// nothing of amp_core.
bool runs_on_apex(const std::vector<std::string>& command, const std::vector<std::string>& interpreter);

}  // namespace ampprof::cli
