// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <library_types.h>

#include <cstddef>

namespace fake_cuda {

/// Loads element `i` of an array as a double, and stores one, rounded to nearest even. Supports FP16, BF16, FP32, FP64
/// and integers. Any other type is an error in the test and ends the process.
double element(const void* data, cudaDataType type, std::size_t i);
void store(void* data, cudaDataType type, std::size_t i, double value);

}  // namespace fake_cuda
