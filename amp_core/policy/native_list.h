// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace amp {

/// The lists of LibTorch's own autocast for CUDA as a cast list (cast_list.h).
extern const std::string_view kNativeList;

}  // namespace amp
