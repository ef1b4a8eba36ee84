// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ampprof::gates {

/// Whether the whole of `text` fits `pattern`, where `*` stands for any text and `?` for any one byte.
bool fits(std::string_view pattern, std::string_view text);

}  // namespace ampprof::gates
