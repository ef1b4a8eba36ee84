// SPDX-License-Identifier: Apache-2.0
#include "profiler/recipes/own_maxima.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <string>
#include <string_view>

namespace ampprof::profiler {
namespace {

constexpr std::string_view kBackward = "_with_indices_backward";

/// The name of the pooling whose backward this is, "aten::max_pool2d_with_indices" say; "" for any other op.
std::string pooling_of(const c10::OperatorHandle& op) {
  const std::string& name = op.operator_name().name;
  if (!name.starts_with("aten::max_pool") || !name.ends_with(kBackward)) return "";
  return name.substr(0, name.rfind("_backward"));
}

}  // namespace

bool OwnMaxima::wants(const c10::OperatorHandle& op) const { return !pooling_of(op).empty(); }

/// Arguments are the output's gradient, those of the pooling, and the places of its maxima.
void OwnMaxima::replace(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> /*arguments*/,
                        c10::ArrayRef<c10::IValue> counterparts, c10::ArrayRef<c10::IValue> /*returned*/,
                        std::vector<at::Tensor>& outputs) {
  const auto pooling = c10::Dispatcher::singleton().findSchemaOrThrow(pooling_of(op).c_str(), "");
  torch::jit::Stack pooled = counterparts.slice(1, counterparts.size() - 2).vec();
  pooling.callBoxed(pooled);
  torch::jit::Stack again = counterparts.slice(0, counterparts.size() - 1).vec();
  again.push_back(pooled.back());
  op.callBoxed(again);
  outputs[0] = again.front().toTensor();
}

}  // namespace ampprof::profiler
