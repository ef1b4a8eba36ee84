// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <library_types.h>

#include <cstddef>

namespace fake_cuda {

/// Returns element `i` of an array of this type as a double, and stores one, rounded to nearest even. Takes FP16, BF16,
/// FP32, FP64 and integers; any other type is an error of the test and ends the process.
double element(const void* data, cudaDataType type, std::size_t i);
void store(void* data, cudaDataType type, std::size_t i, double value);

}  // namespace fake_cuda
