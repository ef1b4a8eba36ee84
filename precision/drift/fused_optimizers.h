// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "precision/drift/elementwise.h"

namespace ampprof::drift {

/// One of the lists of tensors that a fused optimizer writes, and what it writes there, computed from all arguments of
/// the op, in order. A list that is empty, and an optional argument that was not given, are NaN.
struct FusedWrite {
  std::size_t argument;
  ElementwiseOp op;
};

/// Returns what `_fused_adam_`, `_fused_adamw_` or `_fused_sgd_` writes; nothing for any other op. The formulas are
/// those of torch.optim's documentation. A step of which `found_inf` is 1 writes what was there.
std::span<const FusedWrite> fused_optimizer(std::string_view name);

}  // namespace ampprof::drift
