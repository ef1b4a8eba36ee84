// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace amp {

/// Tells whether a pattern names this module or one that contains it. Pattern and module are paths with dots,
/// "encoder.layers.0"; `*` in a pattern matches any one component. The pattern "encoder" matches "encoder" and
/// "encoder.layers.0", but neither "encoder2" nor "model.encoder".
bool matches_module(std::string_view pattern, std::string_view path);

/// Throws Error unless every component is `*` or a name without blanks and `#`.
void check_module_pattern(std::string_view pattern);

}  // namespace amp
