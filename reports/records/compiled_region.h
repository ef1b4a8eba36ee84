// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ampprof {

/// Prefix of the op name of a graph that torch.compile() made: "torch::compiled_region.0/0", with PyTorch's compile id.
inline constexpr std::string_view kCompiledRegion = "torch::compiled_region";

inline bool is_compiled_region(std::string_view op) { return op.starts_with(kCompiledRegion); }

}  // namespace ampprof
