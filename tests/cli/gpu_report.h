// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace ampprof::cli {

/// A report as a GPU leaves it: a run at O0 and one at O1, 4 steps each, two streams, an attention whose kernel says
/// nothing of Tensor Cores, work outside of op calls, and NVTX ranges. All numbers are exact.
void write_gpu_report(const std::filesystem::path& path);

}  // namespace ampprof::cli
