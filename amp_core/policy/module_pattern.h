// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace amp {

/// Whether a module is the one that a pattern names, or inside it. Both are paths with dots, "encoder.layers.0"; `*` in
/// a pattern stands for any one component. The pattern "encoder" matches "encoder" and "encoder.layers.0", and neither
/// "encoder2" nor "model.encoder".
bool matches_module(std::string_view pattern, std::string_view path);

/// Throws Error, saying what is wrong, unless every component is a name without blanks and `#`, or `*`.
void check_module_pattern(std::string_view pattern);

}  // namespace amp
