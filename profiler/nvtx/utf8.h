// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

namespace ampprof::profiler {

/// Room for a text that comes in wide characters.
using Utf8Buffer = std::array<char, 1024>;

/// Returns `text` (UTF-32, as wchar_t is here) in UTF-8, in `buffer`. What is no code point becomes U+FFFD; what finds
/// no room is left out. Null is "".
const char* to_utf8(const wchar_t* text, Utf8Buffer& buffer) noexcept;

}  // namespace ampprof::profiler
