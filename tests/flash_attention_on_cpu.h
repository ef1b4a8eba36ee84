// SPDX-License-Identifier: Apache-2.0
// Implements the FlashAttention op of GPUs with the CPU's attention kernel. Include this in only one file of a program.
#pragma once

#include <ATen/ATen.h>
#include <ATen/core/stack.h>
#include <torch/library.h>

#include <cmath>
#include <optional>

namespace ampprof::flash_attention_on_cpu {

inline c10::optional<double> scale_in(const c10::IValue& value) { return value.toOptional<double>(); }

/// Returns FlashAttention's causal mask, in which the last query sees all keys, or nothing if the CPU's own mask is the
/// same. In the CPU's mask, the last query sees only as many keys as there are queries.
inline std::optional<at::Tensor> mask_of(const at::Tensor& query, const at::Tensor& key, bool is_causal) {
  const std::int64_t queries = query.size(-2), keys = key.size(-2);
  if (!is_causal || queries == keys) return std::nullopt;
  const at::Tensor seen = at::ones({queries, keys}, at::kBool).tril(keys - queries);
  return at::zeros({queries, keys}, query.options()).masked_fill(seen.logical_not(), -INFINITY);
}

inline void forward(const c10::OperatorHandle&, torch::jit::Stack* stack) {
  const torch::jit::Stack given = torch::jit::pop(*stack, 7);
  const at::Tensor query = given[0].toTensor(), key = given[1].toTensor();
  const auto mask = mask_of(query, key, given[4].toBool());
  const auto [output, sums] = at::_scaled_dot_product_flash_attention_for_cpu(
      query, key, given[2].toTensor(), given[3].toDouble(), given[4].toBool() && !mask, mask, scale_in(given[6]));
  const at::Tensor none, seed = at::zeros({2}, at::kLong);
  torch::jit::push(*stack, output, sums, none, none, query.size(-2), key.size(-2), seed, seed, none);
}

inline void backward(const c10::OperatorHandle&, torch::jit::Stack* stack) {
  const torch::jit::Stack given = torch::jit::pop(*stack, 15);
  const auto mask = mask_of(given[1].toTensor(), given[2].toTensor(), given[11].toBool());
  const auto [query, key, value] = at::_scaled_dot_product_flash_attention_for_cpu_backward(
      given[0].toTensor(), given[1].toTensor(), given[2].toTensor(), given[3].toTensor(), given[4].toTensor(),
      given[5].toTensor(), given[10].toDouble(), given[11].toBool() && !mask, mask, scale_in(given[14]));
  torch::jit::push(*stack, query, key, value);
}

TORCH_LIBRARY_IMPL(aten, CPU, library) {
  library.impl("_scaled_dot_product_flash_attention", torch::CppFunction::makeFromBoxedFunction<&forward>());
  library.impl("_scaled_dot_product_flash_attention_backward", torch::CppFunction::makeFromBoxedFunction<&backward>());
}

}  // namespace ampprof::flash_attention_on_cpu
