// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace ampprof::cli {

/// A report as a transformer leaves it: one run at O1 and one at O2 that was killed, with three layers alike. The same
/// op of layer n has an error of 2^-(10-n), and an impact on the loss of n + 1 times 2^-10; that of the last has other
/// shapes. Every second step was not recorded, and values of 412 op calls are missing.
void write_layered_report(const std::filesystem::path& path);

}  // namespace ampprof::cli
