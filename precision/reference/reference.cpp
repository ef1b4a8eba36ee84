// SPDX-License-Identifier: Apache-2.0
#include "precision/reference/reference.h"

#include <ATen/core/dispatch/Dispatcher.h>

namespace ampprof {

Reference::Reference(at::ScalarType precision, CopyWritten copy) : precision_(precision), copy_(copy) {
  TORCH_CHECK(precision == at::kFloat || precision == at::kDouble, "a reference is FP32 or FP64, not ", precision);
}

Kept Reference::keep(const c10::OperatorHandle& op, const torch::jit::Stack& stack) const {
  return keep_call(op, stack, copy_);
}

Rerun Reference::run(const c10::OperatorHandle& op, const Kept& kept, c10::ArrayRef<c10::IValue> returned) const {
  if (!any_reduced(kept.arguments) && !any_reduced(returned)) {
    const bool is_view = any_floating(returned) && returns_views_only(op, kept.arguments, returned);
    return {.outcome = is_view ? Outcome::View : Outcome::NotNeeded, .outputs = {}, .reason = ""};
  }
  return run_again(op, kept, returned, [&](const c10::Argument& argument, const c10::IValue& value) {
    return in_precision(argument, value, precision_);
  });
}

}  // namespace ampprof
