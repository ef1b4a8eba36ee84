// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/Device.h>

#include <functional>

#include "precision/probe/case.h"

namespace ampprof::probe {

/// A case as a call of LibTorch, which chooses cuBLAS and cuDNN as it does for a program. Its operands are random
/// numbers on the device and live as long as the call; switches of LibTorch's (TF32, cudnn.benchmark) are set to the
/// case's and stay so. Throws what LibTorch throws, and std::runtime_error for operands that fit in no memory.
std::function<void()> call_of(const Case& what, c10::Device device);

}  // namespace ampprof::probe
