// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/run_names.h"

#include <algorithm>
#include <cctype>

#include "reports/queries/lookups.h"
#include "reports/queries/runs.h"

namespace ampprof::queries {

std::vector<RunName> runs_named(const Report& report, RunFilter run) {
  const auto read = [](store::Statement& row) { return RunName{.id = row.integer(), .level = row.text()}; };
  return store::rows_of(report, "SELECT id, level FROM run WHERE " + is_of_run("id") + "ORDER BY id", read, run);
}

bool names_run(const std::string& wanted, std::int64_t id, const std::string& level) {
  const auto same = [](char a, char b) { return std::toupper(static_cast<unsigned char>(a)) == b; };
  return wanted == std::to_string(id) || std::equal(wanted.begin(), wanted.end(), level.begin(), level.end(), same);
}

bool is_one_of_many(const RunRow& run) { return run.rank && run.world_size.value_or(2) > 1; }

std::string rank_mark(const RunRow& run) { return is_one_of_many(run) ? " rank " + std::to_string(*run.rank) : ""; }

}  // namespace ampprof::queries
