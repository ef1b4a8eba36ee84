// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "tests/fake_cuda/work_queue.h"

namespace fake_cuda {

/// Returns what the kernel of this mangled name does with these arguments, which are copied; empty for one that has no
/// twin here: it does nothing, and what it would have written stays as it is.
work::Work twin_of(const std::string& mangled, dim3 grid, dim3 block, void** arguments);

}  // namespace fake_cuda
