// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <istream>
#include <string>

namespace ampprof::text {

/// Returns everything that can be read; "" if reading fails, for example in /proc after the process has ended. Does not
/// throw, unlike std::istreambuf_iterator.
std::string read_all(std::istream& in);

/// Returns the content of a file; "" if it cannot be read.
std::string read_file(const std::filesystem::path& path);

}  // namespace ampprof::text
