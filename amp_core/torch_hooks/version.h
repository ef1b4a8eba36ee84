// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/version.h>

namespace amp {

/// Minor version of the LibTorch that this code is compiled for: 15 for 2.15.
inline constexpr int kTorchMinor = TORCH_VERSION_MINOR;

}  // namespace amp
