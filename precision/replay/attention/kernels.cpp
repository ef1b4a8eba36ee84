// SPDX-License-Identifier: Apache-2.0
#include "precision/replay/attention/kernels.h"

#include <algorithm>
#include <array>

namespace ampprof::attention {
namespace {

constexpr std::array kKernels{
    Kernel{"aten::_scaled_dot_product_flash_attention_for_cpu"},
    Kernel{"aten::_scaled_dot_product_efficient_attention"},
    Kernel{"aten::_scaled_dot_product_fused_attention_overrideable"},
    Kernel{.op = "aten::_scaled_dot_product_flash_attention", .in_half_only = true, .sees_last_key = true},
    Kernel{.op = "aten::_scaled_dot_product_cudnn_attention", .in_half_only = true},
};

constexpr std::string_view kBackward = "_backward";

}  // namespace

const Kernel* kernel_of(std::string_view op) {
  if (op.ends_with(kBackward)) op.remove_suffix(kBackward.size());
  const auto* const found = std::ranges::find(kKernels, op, &Kernel::op);
  return found == kKernels.end() ? nullptr : found;
}

bool is_fused_attention(std::string_view op) { return kernel_of(op) != nullptr && !op.ends_with(kBackward); }

bool is_backward_of_fused_attention(std::string_view op) { return kernel_of(op) != nullptr && op.ends_with(kBackward); }

}  // namespace ampprof::attention
