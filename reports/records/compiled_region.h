// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ampprof {

/// Begins the op name of what torch.compile() made of a graph: "torch::compiled_region.0/0", with PyTorch's compile id.
inline constexpr std::string_view kCompiledRegion = "torch::compiled_region";

inline bool is_compiled_region(std::string_view op) { return op.starts_with(kCompiledRegion); }

}  // namespace ampprof
