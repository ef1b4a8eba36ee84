// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reports/records/run.h"
#include "reports/store/sqlite.h"

namespace ampprof::store {

/// Returns the bytes of a report that hold something. SQLite uses freed pages again before the file grows.
std::int64_t used_bytes(Database& database);

/// Returns the bytes of a run's chunks.
std::int64_t bytes_of_chunks(Database& database, std::int64_t run);

/// Drops details of some of the oldest steps of a run: op calls one by one, and what is recorded of single steps beside
/// them. Totals, steps, losses and events stay. Chunks behind `last_chunk` stay too: totals do not hold them yet.
/// Returns what the report lacks from now on; nothing where there was nothing to drop.
std::optional<std::vector<Missing>> drop_oldest_details(Database& database, std::int64_t run, std::int64_t last_chunk);

}  // namespace ampprof::store
