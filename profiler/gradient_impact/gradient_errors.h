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

/// A parameter's gradient in the program and in high precision. Either both are multiplied by the loss scale, or none.
struct GradientPair {
  std::string parameter;
  at::Tensor run;
  at::Tensor exact;
};

/// High-precision gradients of the parameters in one segment, by name; kept in BF16.
using NamedGradients = std::map<std::string, at::Tensor>;

/// Compares the gradients of one segment, which are multiplied by `scale`. Calls `arrived` with a row for each gradient
/// whose error is finite. `before`: the result for an earlier segment. The noise of a gradient is the change of its
/// high-precision value since that segment. Returns the high-precision gradients of this segment.
NamedGradients compare_gradients(const std::vector<GradientPair>& pairs, double scale, std::int64_t segment,
                                 const NamedGradients& before, DeferredScalars& numbers,
                                 const std::function<void(const GradientError& row)>& arrived);

}  // namespace ampprof::profiler
