// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace ampprof::cli {

/// Writes a report from a GPU whose kernels could not be recorded, but whose matmuls were probed. At O0, cublasLt named
/// its algorithms, but nothing was timed. At O1, padding makes the linear layer faster, cudnn.benchmark (which is on)
/// makes the convolution faster, and cublasLt has an algorithm for one of two GEMMs. All numbers are exact.
void write_probed_report(const std::filesystem::path& path);

}  // namespace ampprof::cli
