// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ampprof::store {

/// Makes text from an untrusted file safe for terminals and JSON. Replaces malformed UTF-8 and control characters,
/// except tab and line feed, by U+FFFD.
std::string clean_text(std::string_view text);

}  // namespace ampprof::store
