// SPDX-License-Identifier: Apache-2.0
#include "reports/store/clean_text.h"

#include <algorithm>
#include <cstdint>

namespace ampprof::store {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

int length_by_lead(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  if (lead >= 0xF0 && lead <= 0xF4) return 4;
  return 0;
}

bool is_scalar_value(std::uint32_t code, int length) {
  constexpr std::uint32_t kSmallest[] = {0x0, 0x0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code >= kSmallest[length] && code <= 0x10FFFF && !surrogate;
}

bool is_control(std::uint32_t code) {
  return (code < 0x20 && code != '\t' && code != '\n') || (code >= 0x7F && code <= 0x9F);
}

// Returns the size in bytes of the character at the start of `text` if it may be shown, else 0.
std::size_t presentable(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const int length = length_by_lead(lead);
  if (length == 0 || text.size() < static_cast<std::size_t>(length)) return 0;
  std::uint32_t code = length == 1 ? lead : lead & (0x7Fu >> length);
  for (int i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xC0u) != 0x80u) return 0;
    code = code << 6 | (byte & 0x3Fu);
  }
  return is_scalar_value(code, length) && !is_control(code) ? length : 0;
}

bool is_plain(char letter) { return letter >= 0x20 && letter < 0x7F; }

}  // namespace

std::string clean_text(std::string_view text) {
  const auto plain = static_cast<std::size_t>(std::ranges::find_if_not(text, is_plain) - text.begin());
  std::string clean(text.substr(0, plain));  // nearly always the whole text
  text.remove_prefix(plain);
  while (!text.empty()) {
    const std::size_t length = presentable(text);
    clean += length > 0 ? text.substr(0, length) : kReplacement;
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return clean;
}

}  // namespace ampprof::store
