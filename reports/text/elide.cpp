// SPDX-License-Identifier: Apache-2.0
#include "reports/text/elide.h"

#include <algorithm>

namespace ampprof::text {
namespace {

bool continues_a_code_point(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

/// Returns the first `cells` cells of a text that has more. last_cells() returns its last cells.
std::string_view first_cells(std::string_view text, int cells) {
  std::size_t end = 0;
  while (continues_a_code_point(text[end]) || cells-- > 0) ++end;
  return text.substr(0, end);
}

std::string_view last_cells(std::string_view text, int cells) {
  std::size_t start = text.size();
  while (cells > 0) {
    --start;
    if (!continues_a_code_point(text[start])) --cells;
  }
  return text.substr(start);
}

int cells_behind_the_gap(std::string_view text, int width) {
  constexpr int kLeastFront = 5;
  const auto slash = text.rfind('/');
  if (slash == std::string_view::npos) return width / 2;
  // Keeps more of the end, since modules differ in their last parts: layers.0.attn and layers.1.attn.
  return std::max(2 * width / 3, std::min(display_width(text.substr(slash)), width - 1 - kLeastFront));
}

}  // namespace

int display_width(std::string_view text) {
  return static_cast<int>(
      std::count_if(text.begin(), text.end(), [](char byte) { return !continues_a_code_point(byte); }));
}

std::string printable(std::string_view text) {
  std::string result(text);
  for (char& byte : result) {
    const auto value = static_cast<unsigned char>(byte);
    if (value < 0x20 || value == 0x7F) byte = '?';
  }
  // U+0080 to U+009F are control characters of two bytes.
  for (std::size_t i = 0; i + 1 < result.size(); ++i) {
    if (result[i] == '\xC2' && static_cast<unsigned char>(result[i + 1]) < 0xA0) result.replace(i, 2, "?");
  }
  return result;
}

std::string elide_middle(std::string_view text, int width) {
  if (display_width(text) <= width) return std::string(text);
  if (width < 1) return "";
  const int back = cells_behind_the_gap(text, width);
  return std::string(first_cells(text, width - 1 - back)) + "…" + std::string(last_cells(text, back));
}

std::string short_source(std::string_view source) { return std::string(source.substr(source.rfind('/') + 1)); }

std::vector<std::string> wrap(std::string_view text, int width, int indent) {
  std::vector<std::string> lines;
  std::string line;
  const auto prefix = [&] { return std::string(lines.empty() ? 0 : indent, ' '); };
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.empty() && display_width(line) + 1 + display_width(word) > width) {
      lines.push_back(std::move(line));
      line.clear();
    }
    line = line.empty() ? prefix() + std::string(word) : line + ' ' + std::string(word);
  }
  if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

}  // namespace ampprof::text
