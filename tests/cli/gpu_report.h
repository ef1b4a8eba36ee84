// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace ampprof::cli {

/// Writes a report of a GPU: a run at O0 and one at O1, 4 steps each. It has two streams, an attention kernel whose
/// name does not tell about Tensor Cores, work outside of op calls, and NVTX ranges. All numbers are exact.
void write_gpu_report(const std::filesystem::path& path);

}  // namespace ampprof::cli
