// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/Device.h>

#include <functional>

#include "precision/probe/case.h"

namespace ampprof::probe {

/// Returns a case as a call of LibTorch, which chooses cuBLAS and cuDNN as in a program. Its operands are random
/// numbers on the device and live as long as the call. Sets LibTorch's switches (TF32, cudnn.benchmark) to the case's
/// and leaves them so. Throws LibTorch's exceptions, and std::runtime_error for operands that do not fit into memory.
std::function<void()> call_of(const Case& what, c10::Device device);

}  // namespace ampprof::probe
