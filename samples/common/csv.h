// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace samples {

/// Parses a table of numbers from 0 to 255, with `columns` in each line. Throws std::runtime_error with a sentence that
/// uses `name` for the text.
std::vector<std::uint8_t> parse_csv(const std::string& text, std::size_t columns, const std::string& name);

}  // namespace samples
