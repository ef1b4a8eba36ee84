// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ampprof::store {

/// Text of an untrusted file, fit for terminals and JSON: malformed UTF-8 and control characters, but for tab and line
/// feed, become U+FFFD.
std::string clean_text(std::string_view text);

}  // namespace ampprof::store
