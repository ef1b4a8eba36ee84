// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/drifts.h"

#include <utility>

#include "reports/queries/lookups.h"
#include "reports/store/tables.h"

namespace ampprof::queries {

namespace {

void add_drifts_of(const Report& report, const RunName& run, std::vector<DriftRow>& rows) {
  const CallSites sites = call_sites_of(report, run.id);
  const CallSiteNames names(sites, places_of(report, run.id));
  for (Drift& drift : store::records_of(report, store::kDrift, run.id, "ORDER BY rowid")) {
    DriftRow& row = rows.emplace_back();
    put_place(row, run, {drift.call_site, 0}, sites, names);
    row.of = std::move(drift);
  }
}

}  // namespace

std::vector<DriftRow> drifts(const Report& report, RunFilter run) {
  return rows_of_runs<DriftRow>(report, run, add_drifts_of);
}

}  // namespace ampprof::queries
