// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "precision/drift/elementwise.h"

namespace ampprof::drift {

/// One list of tensors that a fused optimizer writes, and the formula for their new values. The formula takes all
/// arguments of the op in order. An empty list and an omitted optional argument are NaN.
struct FusedWrite {
  std::size_t argument;
  ElementwiseOp op;
};

/// Returns the writes of `_fused_adam_`, `_fused_adamw_` or `_fused_sgd_`; empty for other ops. The formulas follow the
/// documentation of torch.optim. A step with `found_inf` = 1 keeps the old values.
std::span<const FusedWrite> fused_optimizer(std::string_view name);

}  // namespace ampprof::drift
