// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "precision/replay/reference/reference.h"
#include "tests/op_named.h"

namespace ampprof {

using Values = std::vector<c10::IValue>;

/// The results of an op call and its reference, observed as in the profiler.
struct Observed {
  Values returned;
  reference::Replay reference;
};

/// Calls an op and its reference. If the op returns nothing, its results are the arguments that it writes.
inline Observed call_observed(const c10::OperatorHandle& op, const Values& arguments,
                              at::ScalarType precision = at::kDouble) {
  const reference::Reference reference(precision);
  const reference::SavedCall kept = reference.keep(op, arguments);
  torch::jit::Stack stack = arguments;
  op.callBoxed(stack);
  Values returned = op.schema().returns().empty() ? reference::written_arguments(op, arguments) : Values(stack);
  auto result = reference.run(op, kept, returned);
  return {std::move(returned), std::move(result)};
}

}  // namespace ampprof
