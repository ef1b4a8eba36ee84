// SPDX-License-Identifier: Apache-2.0
// FlashAttention's op of GPUs on the CPU, by the CPU's own kernel. In one file of a program.
#pragma once

#include <ATen/ATen.h>
#include <ATen/core/stack.h>
#include <torch/library.h>

namespace ampprof::flash_attention_on_cpu {

inline c10::optional<double> scale_in(const c10::IValue& value) { return value.toOptional<double>(); }

inline void forward(const c10::OperatorHandle&, torch::jit::Stack* stack) {
  const torch::jit::Stack given = torch::jit::pop(*stack, 7);
  const auto [output, sums] =
      at::_scaled_dot_product_flash_attention_for_cpu(given[0].toTensor(), given[1].toTensor(), given[2].toTensor(),
                                                      given[3].toDouble(), given[4].toBool(), {}, scale_in(given[6]));
  const std::int64_t queries = given[0].toTensor().size(-2), keys = given[1].toTensor().size(-2);
  const at::Tensor none, seed = at::zeros({2}, at::kLong);
  torch::jit::push(*stack, output, sums, none, none, queries, keys, seed, seed, none);
}

inline void backward(const c10::OperatorHandle&, torch::jit::Stack* stack) {
  const torch::jit::Stack given = torch::jit::pop(*stack, 15);
  const auto [query, key, value] = at::_scaled_dot_product_flash_attention_for_cpu_backward(
      given[0].toTensor(), given[1].toTensor(), given[2].toTensor(), given[3].toTensor(), given[4].toTensor(),
      given[5].toTensor(), given[10].toDouble(), given[11].toBool(), {}, scale_in(given[14]));
  torch::jit::push(*stack, query, key, value);
}

TORCH_LIBRARY_IMPL(aten, CPU, library) {
  library.impl("_scaled_dot_product_flash_attention", torch::CppFunction::makeFromBoxedFunction<&forward>());
  library.impl("_scaled_dot_product_flash_attention_backward", torch::CppFunction::makeFromBoxedFunction<&backward>());
}

}  // namespace ampprof::flash_attention_on_cpu
