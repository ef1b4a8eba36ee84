// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

namespace ampprof::text {

/// Writes a file whole or not at all: under another name, then renamed, so that what was there stays until then. What
/// is no regular file (a pipe, /dev/stdout) is written to. Throws UsageError.
void write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace ampprof::text
