// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

namespace ampprof::profiler {

struct CallContext;

/// The number that a loss was multiplied by before its backward, as far as the multiplication tells.
struct LossFactor {
  const void* tensor = nullptr;      ///< identity of the scalar tensor; null for a number of the program's
  std::optional<double> value = {};  ///< empty where it lies on a device
};

/// Returns the factor that multiplies one value and needs no gradient. To be asked before the call runs.
std::optional<LossFactor> factor_of(const CallContext& call);

/// Returns the number that a call multiplies its first argument by, or 1 / the number that it divides it by; nothing
/// for any other call.
std::optional<double> multiplier_of(const CallContext& call);

}  // namespace ampprof::profiler
