// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace ampprof::cli {

/// Writes a report of a transformer with three layers of the same ops: one run at O1, and one at O2 that was killed. An
/// op of layer n has an error of 2^-(10-n) and a loss impact of (n + 1) * 2^-10. The shapes of the last layer differ.
/// Only every second step was recorded, and values of 412 op calls are missing.
void write_layered_report(const std::filesystem::path& path);

}  // namespace ampprof::cli
