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

/// A parameter's gradient in the run, and in high precision. Both are multiplied by the loss scale, or neither is.
struct GradientPair {
  std::string parameter;
  at::Tensor run;
  at::Tensor exact;
};

/// Gradients in high precision of one segment's parameters, by name; kept in BF16.
using NamedGradients = std::map<std::string, at::Tensor>;

/// Compares the gradients of one segment, which are multiplied by `scale`. `arrived` gets a row for each gradient with
/// a finite error. `before`: the result for an earlier segment. A gradient's own noise is its change in high precision
/// since that segment. Returns this segment's gradients in high precision.
NamedGradients compare_gradients(const std::vector<GradientPair>& pairs, double scale, std::int64_t segment,
                                 const NamedGradients& before, DeferredScalars& numbers,
                                 const std::function<void(const GradientError& row)>& arrived);

}  // namespace ampprof::profiler
