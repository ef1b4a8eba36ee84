// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "amp_core/levels/properties.h"

namespace amp {

/// Returns the reduced type that the environment variable AMP_TYPE names, such as "bf16"; empty if it is not set.
/// Throws Error for other texts.
std::optional<ReducedType> forced_type();

/// Returns the recipe that the environment variable AMP_RECIPE names; "" if it is not set.
std::string forced_recipe();

/// Returns the initial loss scale that the environment variable AMP_INIT_SCALE gives; empty if it is not set. Throws
/// Error for other texts.
std::optional<double> forced_init_scale();

/// Returns the options with `type` as the reduced type of functions at a level that casts functions, or of the model at
/// a level with a half model. Returns them unchanged for an FP32 level.
Options with_reduced_type(Options options, std::string_view level, ReducedType type);

}  // namespace amp
