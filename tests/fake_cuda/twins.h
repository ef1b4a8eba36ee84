// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "tests/fake_cuda/work_queue.h"

namespace fake_cuda {

/// Returns the work of the kernel with this mangled name and a copy of these arguments. Returns an empty function for a
/// kernel without a twin: it leaves its outputs unchanged.
work::Work twin_of(const std::string& mangled, dim3 grid, dim3 block, void** arguments);

}  // namespace fake_cuda
