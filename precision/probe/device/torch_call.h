// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/Device.h>

#include <functional>

#include "precision/probe/case.h"

namespace ampprof::probe {

/// Returns a case as a call to LibTorch, which chooses the cuBLAS or cuDNN algorithm as in a program. The operands are
/// random numbers on the device; the returned function owns them. Sets LibTorch's switches (TF32, cudnn.benchmark) for
/// the case and does not restore them. Throws LibTorch's exceptions, and std::runtime_error for operands that do not
/// fit into memory.
std::function<void()> call_of(const Case& what, c10::Device device);

}  // namespace ampprof::probe
