// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "tests/fake_cuda/work_queue.h"

namespace fake_cuda {

/// Returns whether this is the mangled name of one of ampprof's own kernels.
bool is_own_kernel(const std::string& mangled);

/// Returns the work of that kernel with a copy of these arguments: its own source, run on the CPU (tests/host_cuda).
/// Ends the process for a kernel that own_kernels.cpp does not list.
work::Work own_twin_of(const std::string& mangled, dim3 grid, dim3 block, void** arguments);

}  // namespace fake_cuda
