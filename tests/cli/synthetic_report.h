// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace ampprof::cli {

/// Writes a small report of a convolutional net: runs 1 to 3 at O0, O1 and O3 with 12 steps each and the same call
/// sites. At O1 the convolution changes the loss by 2^-6 per step and the linear layer by -2^-12. O1 overflows at step
/// 3 and ends with a loss 2^-12 above the loss of O0. O3 has a loss of NaN, exit code 3 and two entries of missing
/// data. All numbers are exact, so that outputs can be compared as text.
void write_synthetic_report(const std::filesystem::path& path);

}  // namespace ampprof::cli
