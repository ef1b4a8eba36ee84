// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/rows.h"
#include "reports/store/totals.h"

namespace ampprof {
namespace {

/// Of totals at some or all of `places`.
void add_works_of(Database& database, const RunName& run, const OpTotals& totals, const std::vector<SiteInStep>& places,
                  std::vector<WorkRow>& rows) {
  const CallSites sites = call_sites_of(database, run.id);
  const auto texts = work_names_of(database, run.id);
  const CallSiteNames names(sites, places);
  for (const auto& [place, total] : totals) {
    for (const WorkTotal& work : total.works) {
      WorkRow& row = rows.emplace_back();
      row.use = work_use(work, texts);
      put_place(row, run, place, sites, names);
      if (!row.phase) row.call_site.clear();  // launched outside of any op call
    }
  }
}

}  // namespace

WorkUse work_use(const WorkTotal& total, const std::unordered_map<std::int64_t, std::string>& names) {
  const auto name = names.find(total.name);
  return {.name = name == names.end() ? std::string() : name->second,
          .kind = total.kind,
          .count = total.count,
          .gpu_us = static_cast<double>(total.duration_ns) / 1e3,
          .bytes = total.bytes};
}

std::vector<WorkRow> work_rows(Database& database, RunFilter run) {
  std::vector<WorkRow> rows;
  for (const RunName& name : runs_named(database, run)) {
    const OpTotals totals = read_totals(database, name.id);
    add_works_of(database, name, totals, places_in(totals), rows);
  }
  return rows;
}

std::vector<WorkRow> work_rows_in(Database& database, const StepSpan& steps, RunFilter run) {
  std::vector<WorkRow> rows;
  for (const RunName& name : runs_named(database, run)) {
    add_works_of(database, name, totals_in(database, name.id, steps), places_of(database, name.id), rows);
  }
  return rows;
}

}  // namespace ampprof
