// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "reports/records/event.h"

namespace at {
class Tensor;
}

namespace ampprof::profiler {

/// Counts NaN and inf of a gradient, without its parameter's name; nothing when it is finite. `factor` takes the
/// gradient back to what the backward pass made of it (the loss scale, once it was unscaled).
std::optional<EventParameter> report_if_nonfinite(const at::Tensor& gradient, double factor);

}  // namespace ampprof::profiler
