// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "profiler/gradient_impact/deferred_scalars.h"
#include "reports/records/gradient_impact.h"

namespace ampprof::profiler {

/// A parameter's gradient in a run, and in high precision; both times the loss scale, or neither.
struct GradientPair {
  std::string parameter;
  at::Tensor run;
  at::Tensor exact;
};

/// Gradients in high precision of one segment's parameters, by name; kept in BF16.
using NamedGradients = std::map<std::string, at::Tensor>;

/// Compares gradients of one segment that are `scale` times themselves: `arrived` gets a row of each, but of those that
/// are not finite. `before`: those of the last segment that has any, from which their own noise is told. Returns those
/// in high precision.
NamedGradients compare_gradients(const std::vector<GradientPair>& pairs, double scale, std::int64_t segment,
                                 const NamedGradients& before, DeferredScalars& numbers,
                                 const std::function<void(const GradientError& row)>& arrived);

}  // namespace ampprof::profiler
