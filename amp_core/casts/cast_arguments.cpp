// SPDX-License-Identifier: Apache-2.0
#include "amp_core/casts/cast_arguments.h"

#include <ATen/core/Tensor.h>
#include <c10/core/InferenceMode.h>

#include "amp_core/casts/thread_casts.h"
#include "amp_core/listeners.h"
#include "amp_core/torch_hooks/boxed_arguments.h"

namespace amp {
namespace {

bool is_castable(const at::Tensor& tensor) {
  const auto type = tensor.scalar_type();
  return (type == at::kFloat || type == at::kHalf || type == at::kBFloat16) && (tensor.is_cpu() || tensor.is_cuda());
}

bool is_number(const at::Tensor& tensor) { return tensor.unsafeGetTensorImpl()->is_wrapped_number(); }

template <class Condition>
bool any_tensor(std::span<const c10::IValue> arguments, Condition&& holds) {
  bool any = false;
  for (const auto& argument : arguments) {
    visit_tensors(argument, [&](const at::Tensor& tensor) { any = any || holds(tensor); });
  }
  return any;
}

void tell_cast(std::int64_t bytes, bool cache_hit) {
  tell([&](Listener& listener) { listener.cast_inserted(bytes, cache_hit); });
}

at::Tensor cast(const at::Tensor& tensor, at::ScalarType type) {
  if (!is_castable(tensor) || is_number(tensor) || tensor.scalar_type() == type) return tensor;
  const bool is_cached = CastCache::can_hold(tensor, type);
  if (is_cached) {
    if (at::Tensor copy = cast_cache_of_this_thread().find(tensor); copy.defined()) {
      tell_cast(0, true);
      return copy;
    }
  }
  at::Tensor copy = tensor.to(type);
  if (is_cached) cast_cache_of_this_thread().insert(tensor, copy);
  tell_cast(static_cast<std::int64_t>(copy.nbytes()), false);
  return copy;
}

void cast_all(std::span<c10::IValue> arguments, at::ScalarType type) {
  for (auto& argument : arguments) {
    change_tensors(argument, [type](const at::Tensor& tensor) { return cast(tensor, type); });
  }
}

void promote(std::span<c10::IValue> arguments) {
  const auto is_of = [](at::ScalarType type) {
    return [type](const at::Tensor& tensor) { return tensor.scalar_type() == type && !is_number(tensor); };
  };
  if (any_tensor(arguments, is_of(at::kFloat)) && any_tensor(arguments, is_of(at::kHalf))) {
    cast_all(arguments, at::kFloat);
  }
}

void match_self(std::span<c10::IValue> arguments) {
  const at::Tensor& self = arguments.front().toTensor();
  if (is_castable(self)) cast_all(arguments.subspan(1), self.scalar_type());
}

bool is_half(const at::Tensor& tensor) { return tensor.scalar_type() == at::kHalf && is_castable(tensor); }

void refuse_half(const c10::OperatorHandle& op, std::span<const c10::IValue> arguments) {
  if (c10::InferenceMode::is_enabled()) return;  // the call may be one of LibTorch's own, inside a kernel
  TORCH_CHECK(
      !is_half(arguments.front().toTensor()), op.operator_name().name, " runs in FP32 under O1, but in place ",
      "it would have to write a half tensor. Use the form without underscore, or cast the tensor to FP32 first.");
}

void ban(const c10::OperatorHandle& op, std::span<const c10::IValue> arguments) {
  TORCH_CHECK_NOT_IMPLEMENTED(
      !any_tensor(arguments, is_half), op.operator_name().name,
      " (torch::nn::functional::binary_cross_entropy, torch::nn::BCELoss) is not safe with half inputs: the log of a "
      "sigmoid that FP16 rounds to 0 or 1 is infinite. Its inputs must be FP32. Three ways out: (1) "
      "binary_cross_entropy_with_logits (BCEWithLogitsLoss) on the values before the sigmoid, which is safe under "
      "O1; (2) run the sigmoid in FP32: torch::sigmoid(x.to(torch::kFloat)); (3) cast this function's arguments with "
      ".to(torch::kFloat), if you know that they stay away from 0 and 1.");
}

}  // namespace

void cast_arguments(CastPolicy policy, const c10::OperatorHandle& op, std::span<c10::IValue> arguments) {
  switch (policy) {
    case CastPolicy::Pass:
      return;
    case CastPolicy::Fp16:
      return cast_all(arguments, at::kHalf);
    case CastPolicy::Fp32:
      return cast_all(arguments, at::kFloat);
    case CastPolicy::Promote:
      return promote(arguments);
    case CastPolicy::MatchSelf:
      return match_self(arguments);
    case CastPolicy::RefuseHalf:
      return refuse_half(op, arguments);
    case CastPolicy::Banned:
      return ban(op, arguments);
  }
}

}  // namespace amp
