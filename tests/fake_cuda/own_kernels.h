// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "tests/fake_cuda/work_queue.h"

namespace fake_cuda {

/// Whether this is the mangled name of a kernel of ampprof's own.
bool is_own_kernel(const std::string& mangled);

/// Returns what that kernel does with these arguments, which are copied: its own source runs on this processor
/// (tests/host_cuda). One whose source is not known here ends the process: a new kernel is a line in own_kernels.cpp.
work::Work own_twin_of(const std::string& mangled, dim3 grid, dim3 block, void** arguments);

}  // namespace fake_cuda
