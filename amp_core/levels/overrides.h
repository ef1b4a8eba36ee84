// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "amp_core/levels/properties.h"

namespace amp {

/// One property that a program may override. To add one: a field in Options and Properties, a function and a line of
/// kOverrides in overrides.cpp.
struct Override {
  std::string_view name;
  /// Applies the property if the program sets it. If the level in force refuses it, returns a sentence and changes
  /// nothing.
  std::optional<std::string> (*apply)(const Options&, Properties&);
};

/// All overrides, in the order in which they are applied: loss_scale depends on the types, and the scaler's settings
/// depend on loss_scale.
extern const std::array<Override, 14> kOverrides;

}  // namespace amp
