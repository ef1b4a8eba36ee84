// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace ampprof::cli {

/// Writes a report of a transformer with three layers of the same ops: a run at O1, and a killed run at O2. An op of
/// layer n (from 0) has an error of 2^-(10-n) and a loss impact of (n + 1) * 2^-10. The shapes of the last layer
/// differ. Only every second step was recorded, and values of 412 op calls are missing.
void write_layered_report(const std::filesystem::path& path);

}  // namespace ampprof::cli
