// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "amp_core/policy/cast_list.h"

namespace amp {

/// The lists of LibTorch's own autocast for CUDA as a cast list (cast_list.h).
extern const std::string_view kNativeList;

/// Ops that only some LibTorch versions cast, and overloads that only some versions have.
inline constexpr std::array kNativeListOfVersions{
    VersionLines{0, 14, "norm.names_ScalarOpt_dim fp32_output\n"},
    VersionLines{15, 99, "rms_norm fp32\nlinalg_matrix_sqrth fp32\n"},
};

}  // namespace amp
