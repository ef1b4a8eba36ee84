// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>

#include "precision/formats/types/spacing.h"
#include "precision/tensors/deferred_reductions.h"

namespace ampprof::tensors {

/// Effect of an update on the elements of a weight, in ulp of the weight's type.
struct WeightChange {
  std::int64_t count = 0;           ///< elements with a nonzero update
  std::int64_t lost = 0;            ///< of `count`: elements that did not change
  std::int64_t below_half_ulp = 0;  ///< of `count`: elements with |update| < ulp(weight) / 2
  double sum_ulp = 0.0;             ///< sum of |update| / ulp(weight)

  bool operator==(const WeightChange&) const = default;
};

/// Compares a weight before and after an update with its exact new value in FP64. The change is measured in ulp of the
/// type that has `spacing`. All three tensors have one shape. Skips elements that are not finite.
WeightChange weight_change(const at::Tensor& before, const at::Tensor& after, const at::Tensor& exact,
                           error::Spacing spacing);

/// A change, shared by its users. DeferredReductions::complete() sets it.
using PendingChange = std::shared_ptr<const WeightChange>;

/// Does what weight_change() does on the tensors' common device, without waiting.
PendingChange weight_change_later(const at::Tensor& before, const at::Tensor& after, const at::Tensor& exact,
                                  error::Spacing spacing, DeferredReductions& results);

}  // namespace ampprof::tensors
