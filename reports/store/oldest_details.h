// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reports/records/run.h"
#include "reports/store/sqlite.h"

namespace ampprof::store {

/// Returns the bytes of a report without its free pages, which SQLite reuses before the file grows.
std::int64_t used_bytes(Database& database);

/// Returns the bytes of a run's chunks.
std::int64_t bytes_of_chunks(Database& database, std::int64_t run);

/// Drops details of some of the oldest steps of a run: single op calls, and other records of single steps. Keeps
/// totals, steps, losses and events, and chunks after `last_chunk`, which totals do not include yet. Returns the data
/// that the report now lacks; empty if there was nothing to drop.
std::optional<std::vector<Missing>> drop_oldest_details(Database& database, std::int64_t run, std::int64_t last_chunk);

}  // namespace ampprof::store
