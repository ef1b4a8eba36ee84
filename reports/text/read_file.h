// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <istream>
#include <string>

namespace ampprof::text {

/// Returns everything that can be read. Returns nothing if reading fails, as in /proc after the process has ended.
/// Throws nothing, unlike std::istreambuf_iterator.
std::string read_all(std::istream& in);

/// Returns the content of a file; nothing if it cannot be read.
std::string read_file(const std::filesystem::path& path);

}  // namespace ampprof::text
