// SPDX-License-Identifier: Apache-2.0
#include "samples/common/csv.h"

#include <charconv>
#include <stdexcept>

namespace samples {

std::vector<std::uint8_t> parse_csv(const std::string& text, std::size_t columns, const std::string& name) {
  std::vector<std::uint8_t> values;
  for (const char* at = text.data(); at < text.data() + text.size();) {
    std::uint8_t value = 0;
    const auto parsed = std::from_chars(at, text.data() + text.size(), value);
    if (parsed.ec != std::errc()) throw std::runtime_error(name + " holds something other than numbers from 0 to 255.");
    values.push_back(value);
    at = parsed.ptr + 1;  // the comma or the end of the line
  }
  if (values.empty() || values.size() % columns != 0) {
    throw std::runtime_error(name + " does not have " + std::to_string(columns) + " numbers in each line.");
  }
  return values;
}

}  // namespace samples
