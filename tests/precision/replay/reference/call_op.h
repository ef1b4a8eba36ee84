// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "precision/replay/reference/reference.h"
#include "tests/op_named.h"

namespace ampprof {

using Values = std::vector<c10::IValue>;

/// One op call, observed as the profiler does it.
struct Observed {
  Values returned;
  reference::Replay reference;
};

/// Of an op that returns nothing, what it wrote is taken for its results.
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
