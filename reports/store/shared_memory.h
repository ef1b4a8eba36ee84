// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

namespace ampprof::store {

/// Returns whether only one machine can mount a file system of this type (`f_type` of statfs). Then processes that map
/// one of its files share memory, as the index of SQLite's write-ahead log requires.
bool is_of_one_machine(std::uint32_t file_system_type);

/// Returns whether processes may share the index of a report's write-ahead log (`-shm`). True if unknown, since SQLite
/// detects it.
bool has_shared_memory(const std::filesystem::path& report);

}  // namespace ampprof::store
