// SPDX-License-Identifier: Apache-2.0
#include "profiler/nvtx/utf8.h"

#include <cstdint>

#include "reports/records/exponents.h"

namespace ampprof::profiler {
namespace {

constexpr std::uint32_t kReplacement = 0xFFFD;

bool is_code_point(std::uint32_t value) { return value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF); }

/// Writes `point` in 1 to 4 bytes. Returns their number.
std::size_t encode(std::uint32_t point, char* to) {
  if (point < 0x80) {
    to[0] = static_cast<char>(point);
    return 1;
  }
  const std::size_t size = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  for (std::size_t i = size - 1; i > 0; --i, point >>= 6) to[i] = static_cast<char>(0x80 | (point & 0x3F));
  to[0] = static_cast<char>((0xF00 >> size) | point);  // 110…, 1110… or 11110…
  return size;
}

}  // namespace

const char* to_utf8(const wchar_t* text, Utf8Buffer& buffer) noexcept {
  constexpr std::size_t kLongest = 4;
  std::size_t used = 0;
  for (; text != nullptr && *text != 0 && used + kLongest < buffer.size(); ++text) {
    const auto point = static_cast<std::uint32_t>(*text);
    used += encode(is_code_point(point) ? point : kReplacement, buffer.data() + used);
  }
  buffer[used] = '\0';
  return buffer.data();
}

}  // namespace ampprof::profiler
