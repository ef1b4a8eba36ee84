// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace samples {

/// Reads a gzip-compressed table of numbers 0 to 255, `columns` a line. Throws std::runtime_error with a sentence.
std::vector<std::uint8_t> read_csv_gz(const std::filesystem::path& path, std::size_t columns);

}  // namespace samples
