// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <library_types.h>

#include <cstddef>

namespace fake_cuda {

/// Load and store element `i` of an array as a double. store() rounds to nearest, ties to even. Both take FP16, BF16,
/// FP32, FP64 and integers. Any other type is an error in the test and ends the process.
double element(const void* data, cudaDataType type, std::size_t i);
void store(void* data, cudaDataType type, std::size_t i, double value);

}  // namespace fake_cuda
