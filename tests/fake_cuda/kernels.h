// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <string>

namespace fake_cuda {

struct Kernel {
  std::string mangled;
};

/// Returns the kernel of this name, which lives as long as the process. It is launched by its own address, or by
/// `handle`.
const Kernel* register_kernel(const void* handle, const std::string& mangled);

/// Enqueues a kernel's work on a stream.
cudaError_t launch(const void* handle, dim3 grid, dim3 block, void** arguments, cudaStream_t stream);

}  // namespace fake_cuda
