// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ampprof::cli {

/// Returns a zip archive of empty entries, as the specification of zip requires.
inline std::string zip_of(const std::vector<std::string>& names) {
  const auto number = [](std::uint64_t value, int size) {
    std::string bytes;
    for (int i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i));
    return bytes;
  };
  std::string directory;
  for (const std::string& name : names) {
    directory += "PK\x01\x02" + std::string(24, '\0') + number(name.size(), 2) + std::string(16, '\0') + name;
  }
  const std::string content = "PK\x03\x04 and so on";
  return content + directory + "PK\x05\x06" + std::string(6, '\0') + number(names.size(), 2) +
         number(directory.size(), 4) + number(content.size(), 4) + number(0, 2);
}

}  // namespace ampprof::cli
