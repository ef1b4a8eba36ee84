// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <string>

namespace fake_cuda {

struct Kernel {
  std::string mangled;
};

/// Registers a kernel by its mangled name. The result lives as long as the process. Launches name the kernel by
/// `handle` or by the address of the result.
const Kernel* register_kernel(const void* handle, const std::string& mangled);

/// Enqueues the work of a kernel on a stream.
cudaError_t launch(const void* handle, dim3 grid, dim3 block, void** arguments, cudaStream_t stream);

}  // namespace fake_cuda
