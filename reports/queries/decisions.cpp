// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/decisions.h"

#include "reports/queries/lookups.h"

namespace ampprof::queries {

namespace {

constexpr const char* kDecisions =
    "SELECT call_site, coalesce(s.position, 0), count(*), sum(decisions), sum(differing) FROM decision d "
    "LEFT JOIN segment s ON s.run = d.run AND s.id = d.segment WHERE d.run = ? GROUP BY 1, 2 ORDER BY 1, 2";

void add_decisions_of(const Report& report, const RunName& run, std::vector<DecisionRow>& rows) {
  const CallSites sites = call_sites_of(report, run.id);
  const CallSiteNames names(sites, places_of(report, run.id));
  store::Statement decisions(report, kDecisions, run.id);
  while (decisions.next()) {
    DecisionRow& row = rows.emplace_back();
    const std::int64_t site = decisions.integer();
    put_place(row, run, {site, static_cast<std::int32_t>(decisions.integer())}, sites, names);
    row.calls = decisions.integer();
    row.decisions = decisions.integer();
    row.differing = decisions.integer();
  }
}

}  // namespace

std::vector<DecisionRow> decisions(const Report& report, RunFilter run) {
  return rows_of_runs<DecisionRow>(report, run, add_decisions_of);
}

}  // namespace ampprof::queries
