// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

#include <vector>

#include "precision/reference/reference.h"

namespace ampprof {

using Values = std::vector<c10::IValue>;

inline c10::OperatorHandle op_named(const char* name, const char* overload = "") {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name, overload);
}

/// One op call, observed as the profiler does it.
struct Observed {
  Values returned;
  Reference::Result reference;
};

inline Observed call_observed(const c10::OperatorHandle& op, Values arguments, at::ScalarType precision = at::kDouble) {
  const Reference reference(precision);
  auto kept = reference.keep(op, arguments);
  torch::jit::Stack stack = std::move(arguments);
  op.callBoxed(stack);
  auto result = reference.run(op, std::move(kept), stack);
  return {std::move(stack), std::move(result)};
}

}  // namespace ampprof
