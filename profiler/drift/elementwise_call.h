// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <variant>
#include <vector>

#include "precision/drift/elementwise.h"

namespace ampprof::profiler {

struct CallContext;

/// An element-wise op on one tensor, or on one element of the tensor lists of a `_foreach_` op or a fused optimizer.
struct ElementwiseCall {
  using Argument = std::variant<double, at::Tensor>;

  const drift::ElementwiseOp* op = nullptr;
  std::vector<Argument> arguments{};  ///< the arguments that the op reads; NaN for a missing one
  at::Tensor target{};                ///< the tensor that the op writes; undefined if the op returns a new one

  /// Returns whether the result is independent of the target's old values.
  bool overwrites() const;
};

/// Returns a call as element-wise ops: one for each tensor that it writes, or else returns, in order. The list is empty
/// if the call is not element-wise, or has arguments other than numbers and tensors. Call it before the op runs.
std::vector<ElementwiseCall> elementwise_calls(const CallContext& call);

}  // namespace ampprof::profiler
