// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "amp_core/levels/properties.h"

namespace amp {

/// Returns the reduced type that the environment variable AMP_TYPE names, "bf16" say; empty where it is not set.
/// Throws Error for any other text.
std::optional<ReducedType> forced_type();

/// Returns the recipe that the environment variable AMP_RECIPE names; "" where it is not set.
std::string forced_recipe();

/// Returns the initial loss scale that the environment variable AMP_INIT_SCALE names; empty where it is not set. Throws
/// Error for any other text.
std::optional<double> forced_init_scale();

/// Returns the options with `type` as what the level computes in: of its functions where it casts at them, of its model
/// where that is a half one. A level in FP32 stays as it is.
Options with_reduced_type(Options options, std::string_view level, ReducedType type);

}  // namespace amp
