// SPDX-License-Identifier: Apache-2.0
// Makes calls of fused attention kernels.
#pragma once

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <optional>
#include <ostream>
#include <vector>

#include "precision/replay/attention/fused_attention.h"
#include "tests/op_named.h"

namespace ampprof::attention {

constexpr const char* kAttentionKernel = "aten::_scaled_dot_product_flash_attention_for_cpu";

struct AttentionCase {
  const char* name;
  std::int64_t key_heads = 4;
  bool is_causal = false;
  at::Tensor mask{};
  std::optional<double> scale{};
};

inline void PrintTo(const AttentionCase& value, std::ostream* out) { *out << value.name; }

struct AttentionCalls : testing::TestWithParam<AttentionCase> {
  void SetUp() override { torch::manual_seed(2); }

  std::vector<c10::IValue> arguments() const {
    const AttentionCase& value = GetParam();
    return {query, key, this->value, 0.0, value.is_causal, value.mask, value.scale};
  }
  /// Returns the arguments of scaled_dot_product_attention(), in which query heads may share key heads.
  std::vector<c10::IValue> named_arguments() const {
    const AttentionCase& value = GetParam();
    return {query, key, this->value, value.mask, 0.0, value.is_causal, value.scale, value.key_heads != 4};
  }
  at::Tensor reference() const {
    const AttentionCase& value = GetParam();
    return at::scaled_dot_product_attention(query, key, this->value,
                                            value.mask.defined() ? std::optional(value.mask) : std::nullopt, 0.0,
                                            value.is_causal, value.scale, value.key_heads != 4);
  }
  FusedAttention attention() const { return *FusedAttention::of(op_named(kAttentionKernel).schema(), arguments()); }

  std::int64_t key_heads = GetParam().key_heads;
  at::Tensor query = torch::randn({3, 4, 16, 32}).requires_grad_();
  at::Tensor key = torch::randn({3, key_heads, 48, 32}).requires_grad_();
  at::Tensor value = torch::randn({3, key_heads, 48, 64}).requires_grad_();
  at::Tensor dy = torch::randn({3, 4, 16, 64});
};

inline std::vector<AttentionCase> attention_cases() {
  return {{.name = "plain"},
          {.name = "causal", .is_causal = true},
          {.name = "masked", .mask = at::ones({16, 48}, at::kBool).tril(6)},
          {.name = "biased", .mask = at::ones({16, 48}).tril(3), .scale = 0.7},
          {.name = "shared_heads", .key_heads = 2}};
}

}  // namespace ampprof::attention
