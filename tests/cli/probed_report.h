// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace ampprof::cli {

/// A report of a GPU whose kernels could not be recorded, but whose matmuls were probed: O0, where cublasLt was asked
/// and nothing timed, and O1, whose linear layer gains by padding, whose convolution gains with cudnn.benchmark, which
/// the run had on, and of whose GEMMs cublasLt has an answer to one. All numbers are exact.
void write_probed_report(const std::filesystem::path& path);

}  // namespace ampprof::cli
