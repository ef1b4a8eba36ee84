// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "reports/queries/call_site_names.h"
#include "reports/queries/report.h"
#include "reports/queries/run_names.h"
#include "reports/store/sqlite.h"

/// Lookups that several queries share.
namespace ampprof::queries {

/// Returns a condition on a column of run ids, for a RunFilter as parameter ?1. The condition is a range, so SQLite can
/// use an index. With "?1 IS NULL OR column = ?1", it would scan all rows for each run of a report, which may have a
/// thousand.
std::string is_of_run(std::string_view column);

/// Calls `add(report, run, further..., rows)` for each run that the filter accepts, and returns the collected rows, as
/// of one moment.
template <class Row, class Add, class... Further>
std::vector<Row> rows_of_runs(const Report& report, RunFilter run, const Add& add, const Further&... further) {
  const store::Snapshot snapshot(report);
  std::vector<Row> rows;
  for (const RunName& name : runs_named(report, run)) add(report, name, further..., rows);
  return rows;
}

/// Sets the fields of CallSiteColumns. An unknown call site gets the name "?", and the row's phase, module, op and
/// source stay unchanged.
template <class Row>
void put_place(Row& row, const RunName& run, const SiteInStep& place, const CallSites& sites,
               const CallSiteNames& names) {
  row.run = run.id;
  row.level = run.level;
  row.call_site_id = place.first;
  row.position = place.second;
  row.call_site = names.name(place);
  const auto site = sites.find(place.first);
  if (site == sites.end()) return;
  row.phase = site->second.phase;
  row.module = site->second.module;
  row.op = site->second.op;
  row.source = site->second.source;
}

/// Texts of interned signatures, by id.
std::unordered_map<std::int64_t, std::string> signatures_of(const Report& report, std::int64_t run);

/// Names of kernels, memcpys and memsets, by id.
std::unordered_map<std::int64_t, std::string> activity_names_of(const Report& report, std::int64_t run);
std::unordered_map<std::int64_t, std::string> range_names_of(const Report& report, std::int64_t run);

CallSites call_sites_of(const Report& report, std::int64_t run);

/// Totals of op calls, casts and GPU activities by SiteInStep.
struct RunTotals {
  OpTotals totals;
  std::vector<SiteInStep> places;  ///< all places of the run, so that names of call sites do not depend on steps
};

/// Sums up a run's op calls, casts and GPU activities in these steps.
RunTotals totals_of(const Report& report, std::int64_t run, const StepFilter& steps);

/// Returns the places of totals that have op calls.
std::vector<SiteInStep> places_in(const OpTotals& totals);

/// Returns every place from which a run called an op, in any order.
std::vector<SiteInStep> places_of(const Report& report, std::int64_t run);

}  // namespace ampprof::queries
