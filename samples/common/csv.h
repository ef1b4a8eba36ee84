// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace samples {

/// A table of numbers 0 to 255, `columns` a line. Throws std::runtime_error with a sentence, which calls the text
/// `name`.
std::vector<std::uint8_t> parse_csv(const std::string& text, std::size_t columns, const std::string& name);

}  // namespace samples
