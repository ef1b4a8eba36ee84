// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

namespace ampprof::store {

/// Returns whether only one machine sees files of such a file system (`f_type` of statfs). Then processes that map a
/// file share memory, as the index of SQLite's write-ahead log requires.
bool is_of_one_machine(std::uint32_t file_system_type);

/// Returns whether processes may share the index of a report's write-ahead log (`-shm`). True if unknown: then SQLite
/// finds out.
bool has_shared_memory(const std::filesystem::path& report);

}  // namespace ampprof::store
