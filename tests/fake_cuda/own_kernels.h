// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "tests/fake_cuda/work_queue.h"

namespace fake_cuda {

/// Returns whether a mangled name is that of one of ampprof's own kernels.
bool is_own_kernel(const std::string& mangled);

/// Returns the work of an own kernel with a copy of the arguments. The work runs the kernel's own source on the CPU
/// (tests/host_cuda). Ends the process if own_kernels.cpp does not list the kernel.
work::Work own_twin_of(const std::string& mangled, dim3 grid, dim3 block, void** arguments);

}  // namespace fake_cuda
