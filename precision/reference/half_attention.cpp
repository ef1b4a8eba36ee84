// SPDX-License-Identifier: Apache-2.0
#include "precision/reference/half_attention.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "amp_core/recipes/fused_attention.h"

namespace ampprof::reference {
namespace {

using amp::recipes::FusedAttention;

constexpr std::string_view kBackward = "_backward";
constexpr std::array<std::string_view, 2> kKernels{
    "aten::_scaled_dot_product_flash_attention",
    "aten::_scaled_dot_product_cudnn_attention",
};

FusedAttention attention_of(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments) {
  const auto attention = FusedAttention::of(op.schema(), arguments);
  TORCH_CHECK(attention, op.operator_name().name, " has no elements, or drops weights");
  return *attention;
}

/// A kernel lays its output out as the query is, and the program may look at it as one tensor of heads and features.
at::Tensor laid_out_as(const at::Tensor& query, const at::Tensor& output) {
  return output.sizes() == query.sizes() ? at::empty_like(query).copy_(output) : output;
}

/// In the place of all results: these first, the others undefined.
void put_results(const c10::OperatorHandle& op, torch::jit::Stack& stack, std::vector<at::Tensor> first) {
  first.resize(op.schema().returns().size());
  stack.assign(first.begin(), first.end());
}

}  // namespace

bool is_half_attention(std::string_view op) { return std::ranges::find(kKernels, op) != kKernels.end(); }

bool is_backward_of_half_attention(std::string_view op) {
  return op.ends_with(kBackward) && is_half_attention(op.substr(0, op.size() - kBackward.size()));
}

bool drops_weights(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments) {
  const auto place = op.schema().argumentIndexWithName("dropout_p");
  return place && arguments[static_cast<std::size_t>(*place)].toDouble() > 0;
}

void run_half_attention(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
  if (!is_half_attention(op.operator_name().name)) {
    return put_results(op, stack, attention_gradients(op, stack, stack[0].toTensor()));
  }
  const at::Tensor output = attention_of(op, stack).output(amp::recipes::multiply_exactly);
  put_results(op, stack, {laid_out_as(stack[0].toTensor(), output)});
}

std::vector<at::Tensor> attention_gradients(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments,
                                            const at::Tensor& of_output) {
  const FusedAttention attention = attention_of(op, arguments);
  std::vector<at::Tensor> gradients;
  for (const std::size_t argument : {0, 1, 2}) {
    gradients.push_back(attention.gradient(argument, of_output, amp::recipes::multiply_exactly));
  }
  return gradients;
}

void run_attention_math(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
  static const auto math =
      c10::Dispatcher::singleton().findSchemaOrThrow("aten::_scaled_dot_product_attention_math", "");
  const amp::recipes::Arguments named(op.schema(), stack);
  const at::Tensor query = named.tensor("query"), key = named.tensor("key"), mask = named.tensor("attn_bias");
  const auto* const scale = named.find("scale");
  torch::jit::Stack of_math{query,
                            key,
                            named.tensor("value"),
                            mask.defined() ? c10::IValue(mask) : c10::IValue(),
                            named.number("dropout_p", 0.0),
                            named.is_on("is_causal"),
                            c10::IValue(),
                            scale == nullptr ? c10::IValue() : *scale,
                            query.size(-3) != key.size(-3)};
  math.callBoxed(of_math);
  put_results(op, stack, {laid_out_as(query, of_math[0].toTensor())});
}

}  // namespace ampprof::reference
