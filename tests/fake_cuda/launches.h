// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

namespace fake_cuda {

/// Counts a launch, and tells it to who asked by fake_cuda_on_launch(), unless the stream is captured. The name lives as
/// long as the process.
void count_launch(cudaStream_t stream, const char* kernel);

}  // namespace fake_cuda
