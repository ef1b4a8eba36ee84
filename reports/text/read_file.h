// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <istream>
#include <string>

namespace ampprof::text {

/// Returns all that can be read; nothing where reading fails, as of a file in /proc whose process has ended since it
/// was opened. Throws nothing, unlike std::istreambuf_iterator.
std::string read_all(std::istream& in);

/// Returns the content of a file; nothing where it cannot be read.
std::string read_file(const std::filesystem::path& path);

}  // namespace ampprof::text
