// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>

#include "precision/formats/types/spacing.h"
#include "precision/tensors/deferred_reductions.h"

namespace ampprof::tensors {

/// Effect of an update on the elements of a weight, in units of the weight's own spacing.
struct WeightChange {
  std::int64_t count = 0;           ///< elements with a nonzero update
  std::int64_t lost = 0;            ///< of those, the weight did not change
  std::int64_t below_half_ulp = 0;  ///< of those, |update| < ulp(weight) / 2
  double sum_ulp = 0.0;             ///< sum of |update| / ulp(weight)

  bool operator==(const WeightChange&) const = default;
};

/// Compares a weight before and after an update with its exact new value in FP64. `spacing` is that of the type whose
/// ulp counts. All three have one shape. Skips elements that are not finite.
WeightChange weight_change(const at::Tensor& before, const at::Tensor& after, const at::Tensor& exact,
                           error::Spacing spacing);

/// Shared by all who need it. DeferredReductions::complete() sets it.
using LateChange = std::shared_ptr<const WeightChange>;

/// Compares them on their device, which must be the same for all, without waiting.
LateChange weight_change_later(const at::Tensor& before, const at::Tensor& after, const at::Tensor& exact,
                               error::Spacing spacing, DeferredReductions& results);

}  // namespace ampprof::tensors
