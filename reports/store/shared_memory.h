// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

namespace ampprof::store {

/// Returns whether a file of such a file system (`f_type` of statfs) is seen by one machine alone, so that processes
/// which map it share memory, as SQLite's write-ahead log needs it for its index.
bool is_of_one_machine(std::uint32_t file_system_type);

/// Returns whether processes may share the index of a report's write-ahead log (`-shm`). True where nobody knows: then
/// SQLite finds out.
bool has_shared_memory(const std::filesystem::path& report);

}  // namespace ampprof::store
