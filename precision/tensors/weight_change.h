// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>

#include "precision/formats/types/spacing.h"
#include "precision/tensors/deferred_reductions.h"

namespace ampprof::tensors {

/// Counts what an update did to the elements of a weight, in units of the weight's own spacing.
struct WeightChange {
  std::int64_t count = 0;           ///< elements whose update is not zero
  std::int64_t lost = 0;            ///< of those, the weight stayed as it was
  std::int64_t below_half_ulp = 0;  ///< of those, |update| < ulp(weight) / 2
  double sum_ulp = 0.0;             ///< sum of |update| / ulp(weight)

  bool operator==(const WeightChange&) const = default;
};

/// Compares a weight before and after an update with what the update should have made of it, `exact` in FP64. `spacing`
/// is that of the type whose ulp is meant. All three have one shape. Elements that are not finite are left out.
WeightChange weight_change(const at::Tensor& before, const at::Tensor& after, const at::Tensor& exact,
                           error::Spacing spacing);

/// Shared by all who wait for it. Set by DeferredReductions::complete().
using LateChange = std::shared_ptr<const WeightChange>;

/// Compares them where they are, which is one device, but later.
LateChange weight_change_later(const at::Tensor& before, const at::Tensor& after, const at::Tensor& exact,
                               error::Spacing spacing, DeferredReductions& results);

}  // namespace ampprof::tensors
