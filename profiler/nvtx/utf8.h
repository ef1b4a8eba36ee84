// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

namespace ampprof::profiler {

/// Buffer for the UTF-8 form of a wide text.
using Utf8Buffer = std::array<char, 1024>;

/// Converts `text` (UTF-32, as wchar_t is here) to UTF-8 in `buffer`, and returns it. Invalid code points become
/// U+FFFD. A text that is too long is cut. Null gives "".
const char* to_utf8(const wchar_t* text, Utf8Buffer& buffer) noexcept;

}  // namespace ampprof::profiler
