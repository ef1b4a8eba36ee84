// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ampprof::gates {

/// Returns whether `pattern` matches the whole of `text`. `*` matches any text and `?` any one byte.
bool fits(std::string_view pattern, std::string_view text);

}  // namespace ampprof::gates
