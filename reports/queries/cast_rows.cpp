// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/rows.h"
#include "reports/store/totals.h"

namespace ampprof {
namespace {

void add_casts_of(Database& database, const RunName& run, const StepFilter& steps, std::vector<CastRow>& rows) {
  const auto [totals, places] = totals_of(database, run.id, steps);
  const CallSites sites = call_sites_of(database, run.id);
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

std::vector<CastRow> cast_rows(Database& database, RunFilter run, const StepFilter& steps) {
  std::vector<CastRow> rows;
  for (const RunName& name : runs_named(database, run)) add_casts_of(database, name, steps, rows);
  return rows;
}

}  // namespace ampprof
