// SPDX-License-Identifier: Apache-2.0
#include "profiler/recipes/backward_override.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <string>
#include <string_view>

#include "precision/replay/attention/fused_attention.h"
#include "precision/replay/attention/kernels.h"

namespace ampprof::profiler {
namespace {

using attention::FusedAttention;

constexpr std::string_view kBackward = "_with_indices_backward";

/// Returns the pooling op of a backward op, such as "aten::max_pool2d_with_indices"; "" for any other op.
std::string pooling_of(const c10::OperatorHandle& op) {
  const std::string& name = op.operator_name().name;
  if (!name.starts_with("aten::max_pool") || !name.ends_with(kBackward)) return "";
  return name.substr(0, name.rfind("_backward"));
}

/// Computes the backward of max pooling with the maxima of the replay. `arguments`: the gradient of the output, the
/// arguments of the pooling, and the indices of the program's maxima, which are ignored.
at::Tensor gradient_of_pooling(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments) {
  const auto pooling = c10::Dispatcher::singleton().findSchemaOrThrow(pooling_of(op).c_str(), "");
  torch::jit::Stack pooled = arguments.slice(1, arguments.size() - 2).vec();
  pooling.callBoxed(pooled);
  torch::jit::Stack again = arguments.slice(0, arguments.size() - 1).vec();
  again.push_back(pooled.back());
  op.callBoxed(again);
  return again.front().toTensor();
}

}  // namespace

bool overrides_backward(const c10::OperatorHandle& op) {
  const std::string& name = op.operator_name().name;
  const attention::Kernel* kernel = attention::kernel_of(name);
  if (kernel != nullptr && kernel->in_half_only) return false;  // no kernel in high precision
  return !pooling_of(op).empty() || attention::is_backward_of_fused_attention(name);
}

void override_backward(const reference::ReplayedCall& call, std::vector<at::Tensor>& outputs) {
  if (!pooling_of(call.op).empty()) {
    outputs[0] = gradient_of_pooling(call.op, call.counterparts);
    return;
  }
  const auto attention = FusedAttention::of(call.op.schema(), call.counterparts);
  if (!attention) return;
  for (std::size_t i = 0; i < 3; ++i) {
    if (!call.returned[i].isTensor() || !call.returned[i].toTensor().defined()) continue;
    const at::Tensor& of_output = call.counterparts[attention::kGradOutput].toTensor();
    const at::Tensor found = attention->gradient(i, of_output, attention::multiply_exactly);
    outputs[i] = found.to(outputs[i].defined() ? outputs[i].scalar_type() : at::kFloat);
  }
}

}  // namespace ampprof::profiler
