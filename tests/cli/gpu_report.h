// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace ampprof::cli {

/// Writes a report from a GPU: a run at O0 and a run at O1, 4 steps each. The report has two streams, an attention
/// kernel whose name does not show whether it uses Tensor Cores, GPU activities outside op calls, and NVTX ranges. All
/// numbers are exact.
void write_gpu_report(const std::filesystem::path& path);

}  // namespace ampprof::cli
