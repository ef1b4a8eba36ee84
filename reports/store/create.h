// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace ampprof::store {

/// Creates an empty report at `path`. Writes it under another name next to `path` and renames it, so it appears
/// complete or not at all. Throws ReportError with a sentence if the file exists and `replace` is false, or if it
/// cannot be written.
void create_report(const std::filesystem::path& path, bool replace);

/// Removes `path`-wal, -shm and -journal of an earlier file with this name. SQLite would replay them into a new file at
/// `path`.
void remove_logs_of_a_former_file(const std::filesystem::path& path);

}  // namespace ampprof::store
