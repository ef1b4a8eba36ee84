// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace ampprof::cli {

/// Writes a report of a GPU whose kernels could not be recorded, but whose matmuls were probed. O0: cublasLt was asked
/// and nothing was timed. O1: the linear layer gains by padding, the convolution gains with cudnn.benchmark, which the
/// run had on, and cublasLt has an answer to one GEMM. All numbers are exact.
void write_probed_report(const std::filesystem::path& path);

}  // namespace ampprof::cli
