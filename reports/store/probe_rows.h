// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/records/probe.h"
#include "reports/store/sqlite.h"

namespace ampprof {

/// Adds the rows of a run. Call within a transaction.
void insert_probe(Database& database, std::int64_t run, const ProbeRecords& records);

}  // namespace ampprof
