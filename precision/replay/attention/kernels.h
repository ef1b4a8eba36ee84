// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace ampprof::attention {

/// A fused attention kernel.
struct Kernel {
  std::string_view op;         ///< "aten::_scaled_dot_product_flash_attention"; its backward ends in "_backward"
  bool in_half_only = false;   ///< exists only in FP16 and BF16
  bool sees_last_key = false;  ///< if causal, the last query sees all keys; else query i sees keys 0 to i
};

// Indices of query, key and value among a kernel's arguments, and of their gradients among the results of its backward.
inline constexpr std::size_t kQuery = 0;
inline constexpr std::size_t kKey = 1;
inline constexpr std::size_t kValue = 2;
/// Index of the output gradient among the arguments of a backward.
inline constexpr std::size_t kGradOutput = 0;

/// Returns the kernel that has this op as forward or backward; null for other ops.
const Kernel* kernel_of(std::string_view op);

/// Returns whether this op is the forward of fused attention.
bool is_fused_attention(std::string_view op);
bool is_backward_of_fused_attention(std::string_view op);

}  // namespace ampprof::attention
