// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "tests/fake_cuda/work_queue.h"

namespace fake_cuda {

/// Returns the work of the kernel with this mangled name, with a copy of the arguments. Returns an empty function if
/// the kernel has no twin: its outputs then stay unchanged.
work::Work twin_of(const std::string& mangled, dim3 grid, dim3 block, void** arguments);

}  // namespace fake_cuda
