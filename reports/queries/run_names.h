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

/// Returns the runs that a filter accepts, by id.
std::vector<RunName> runs_named(const Report& report, RunFilter run = {});

/// Returns whether the user's text names a run: its id, or its level in any case ("o1").
bool names_run(const std::string& wanted, std::int64_t id, const std::string& level);

/// Tells whether a run belongs to one of several processes of a distributed program.
bool is_one_of_many(const RunRow& run);

/// Returns the suffix of a run's name: " rank 3" for one of many, "" otherwise.
std::string rank_mark(const RunRow& run);

}  // namespace ampprof::queries
