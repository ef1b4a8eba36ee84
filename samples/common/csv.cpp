// SPDX-License-Identifier: Apache-2.0
#include "samples/common/csv.h"

#include <zlib.h>

#include <array>
#include <charconv>
#include <memory>
#include <stdexcept>
#include <string>

namespace samples {
namespace {

std::string read_gz(const std::filesystem::path& path) {
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
  if (!file) throw std::runtime_error("Cannot open " + path.string() + ". Build the samples again to restore it.");
  std::string text;
  std::array<char, 1 << 16> buffer{};
  int got = 0;
  while ((got = gzread(file.get(), buffer.data(), buffer.size())) > 0) text.append(buffer.data(), got);
  if (got < 0) throw std::runtime_error(path.string() + " is damaged: it cannot be unpacked.");
  return text;
}

}  // namespace

std::vector<std::uint8_t> read_csv_gz(const std::filesystem::path& path, std::size_t columns) {
  const std::string text = read_gz(path);
  std::vector<std::uint8_t> values;
  for (const char* at = text.data(); at < text.data() + text.size();) {
    std::uint8_t value = 0;
    const auto parsed = std::from_chars(at, text.data() + text.size(), value);
    if (parsed.ec != std::errc()) throw std::runtime_error(path.string() + " holds something other than 0 to 255.");
    values.push_back(value);
    at = parsed.ptr + 1;  // the comma or the end of the line
  }
  if (values.empty() || values.size() % columns != 0) {
    throw std::runtime_error(path.string() + " does not have " + std::to_string(columns) + " numbers in each line.");
  }
  return values;
}

}  // namespace samples
