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
  std::vector<Argument> arguments{};  ///< the arguments that the op reads; NaN for an absent one
  at::Tensor target{};                ///< the written tensor; undefined if the result is a new one

  /// Returns whether the result is independent of the target's old values.
  bool overwrites() const;
};

/// Returns a call as element-wise ops: one for each tensor that it writes, or else returns, in order. The list is empty
/// if the call is not element-wise, or has arguments other than numbers and tensors. Call it before the op runs.
std::vector<ElementwiseCall> elementwise_calls(const CallContext& call);

}  // namespace ampprof::profiler
