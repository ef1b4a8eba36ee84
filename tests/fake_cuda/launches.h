// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

namespace fake_cuda {

/// Counts a launch. Unless the stream is being captured, calls the function set by fake_cuda_on_launch(). The name
/// `kernel` must live as long as the process.
void count_launch(cudaStream_t stream, const char* kernel);

}  // namespace fake_cuda
