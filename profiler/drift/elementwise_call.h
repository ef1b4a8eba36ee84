// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <variant>
#include <vector>

#include "precision/drift/elementwise.h"

namespace ampprof::profiler {

struct CallContext;

/// An element-wise op on one tensor, or on one member of the lists of a `_foreach_` op or a fused optimizer.
struct ElementwiseCall {
  using Argument = std::variant<double, at::Tensor>;

  const drift::ElementwiseOp* op = nullptr;
  std::vector<Argument> arguments{};  ///< as many as the op reads; NaN for one that is absent
  at::Tensor target{};                ///< that is written; undefined where the result is a new tensor

  /// Returns whether the result does not depend on what the target held.
  bool overwrites() const;
};

/// Returns what a call computes: an entry for each tensor that it writes, or else returns, in order. The list is empty
/// for a call that is not element-wise, or whose arguments are not numbers and tensors. Call it before the op runs.
std::vector<ElementwiseCall> elementwise_calls(const CallContext& call);

}  // namespace ampprof::profiler
