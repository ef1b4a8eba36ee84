// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/queries/report.h"

namespace ampprof::queries {

struct RunRow;

/// Id and level of a run.
struct RunName {
  std::int64_t id = 0;
  std::string level;
};

/// Returns the runs that a filter lets through, by id.
std::vector<RunName> runs_named(const Report& report, RunFilter run = {});

/// Whether what a user wrote names a run: its id, or its level in any case ("o1").
bool names_run(const std::string& wanted, std::int64_t id, const std::string& level);

/// Tells whether a run is that of one of several processes of a distributed program.
bool is_one_of_many(const RunRow& run);

/// Returns what a run's name ends in: " rank 3" where it is one of many, "" otherwise.
std::string rank_mark(const RunRow& run);

}  // namespace ampprof::queries
