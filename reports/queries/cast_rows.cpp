// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/rows.h"
#include "reports/store/totals.h"

namespace ampprof {
namespace {

/// Of totals at some or all of `places`.
void add_casts_of(Database& database, const RunName& run, const OpTotals& totals, const std::vector<SiteInStep>& places,
                  std::vector<CastRow>& rows) {
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

std::vector<CastRow> cast_rows(Database& database, RunFilter run) {
  std::vector<CastRow> rows;
  for (const RunName& name : runs_named(database, run)) {
    const OpTotals totals = read_totals(database, name.id);
    add_casts_of(database, name, totals, places_in(totals), rows);
  }
  return rows;
}

std::vector<CastRow> cast_rows_in(Database& database, const StepSpan& steps, RunFilter run) {
  std::vector<CastRow> rows;
  for (const RunName& name : runs_named(database, run)) {
    add_casts_of(database, name, totals_in(database, name.id, steps), places_of(database, name.id), rows);
  }
  return rows;
}

}  // namespace ampprof
