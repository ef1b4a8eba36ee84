// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace ampprof::store {

/// Makes an empty report at `path`: written beside it first and renamed into place, so it is whole or not there.
/// Throws ReportError with a sentence when the file exists and `replace` is false, or when it cannot be written.
void create_report(const std::filesystem::path& path, bool replace);

/// SQLite would replay a log of this name into a new file at `path`, whatever file it was made for.
void remove_logs_of_a_former_file(const std::filesystem::path& path);

}  // namespace ampprof::store
