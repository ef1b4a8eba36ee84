// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

namespace ampprof::text {

/// Writes a file completely or not at all: writes it under another name and then renames it, so that the old content
/// stays until the rename. Writes directly to anything but a regular file (a pipe, /dev/stdout). Throws UsageError.
void write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace ampprof::text
