// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace ampprof::attention {

/// A kernel that computes attention at once.
struct Kernel {
  std::string_view op;         ///< "aten::_scaled_dot_product_flash_attention"; its backward has "_backward" behind it
  bool in_half_only = false;   ///< exists in FP16 and BF16 only
  bool sees_last_key = false;  ///< its last query sees all keys where it is causal; that of others as many as queries
};

// Places of query, key and value among a kernel's arguments, and of their gradients among the results of its backward.
inline constexpr std::size_t kQuery = 0;
inline constexpr std::size_t kKey = 1;
inline constexpr std::size_t kValue = 2;
/// The place of the output's gradient among the arguments of a backward.
inline constexpr std::size_t kGradOutput = 0;

/// Returns the kernel that an op is, or is the backward of; null for any other op.
const Kernel* kernel_of(std::string_view op);

/// Return whether this op is attention in one kernel, or its backward.
bool is_fused_attention(std::string_view op);
bool is_backward_of_fused_attention(std::string_view op);

}  // namespace ampprof::attention
