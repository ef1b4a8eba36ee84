// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "profiler/loss/loss_factor.h"

namespace ampprof::profiler {

struct CallContext;

/// Returns the factor that multiplies one value and needs no gradient. To be asked before the call runs.
std::optional<LossFactor> factor_of(const CallContext& call);

/// Returns the number that a call multiplies its first argument by, or 1 / the number that it divides it by; nothing
/// for any other call.
std::optional<double> multiplier_of(const CallContext& call);

}  // namespace ampprof::profiler
