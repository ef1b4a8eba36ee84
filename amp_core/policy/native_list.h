// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "amp_core/policy/cast_list.h"

namespace amp {

/// The lists of LibTorch's own autocast for CUDA as a cast list (cast_list.h).
extern const std::string_view kNativeList;

/// Lists what later versions have besides.
inline constexpr std::array kAddedToNativeList{AddedLines{15, "rms_norm fp32\n"}};

}  // namespace amp
