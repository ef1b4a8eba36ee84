// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/casts.h"

#include "reports/queries/lookups.h"
#include "reports/store/totals.h"

namespace ampprof::queries {

namespace {

void add_casts_of(const Report& report, const RunName& run, const StepFilter& steps, std::vector<CastRow>& rows) {
  const auto [totals, places] = totals_of(report, run.id, steps);
  const CallSites sites = call_sites_of(report, run.id);
  const CallSiteNames names(sites, places);
  for (const auto& [place, total] : totals) {
    for (const CastRecord& cast : total.casts) {
      CastRow& row = rows.emplace_back();
      row.total = cast;
      put_place(row, run, place, sites, names);
    }
  }
}

}  // namespace

std::vector<CastRow> casts(const Report& report, RunFilter run, const StepFilter& steps) {
  return rows_of_runs<CastRow>(report, run, add_casts_of, steps);
}

}  // namespace ampprof::queries
