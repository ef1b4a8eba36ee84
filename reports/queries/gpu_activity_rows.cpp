// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/rows.h"
#include "reports/store/totals.h"

namespace ampprof {
namespace {

void add_activities_of(Database& database, const RunName& run, const StepFilter& steps,
                       std::vector<GpuActivityRow>& rows) {
  const auto [totals, places] = totals_of(database, run.id, steps);
  const CallSites sites = call_sites_of(database, run.id);
  const auto texts = activity_names_of(database, run.id);
  const CallSiteNames names(sites, places);
  for (const auto& [place, total] : totals) {
    for (const GpuActivityTotal& activity : total.activities) {
      GpuActivityRow& row = rows.emplace_back();
      row.use = gpu_activity_use(activity, texts);
      put_place(row, run, place, sites, names);
      if (!row.phase) row.call_site.clear();  // launched outside of any op call
    }
  }
}

}  // namespace

GpuActivityUse gpu_activity_use(const GpuActivityTotal& total,
                                const std::unordered_map<std::int64_t, std::string>& names) {
  const auto name = names.find(total.name);
  return {.name = name == names.end() ? std::string() : name->second,
          .kind = total.kind,
          .count = total.count,
          .gpu_us = static_cast<double>(total.duration_ns) / 1e3,
          .bytes = total.bytes};
}

std::vector<GpuActivityRow> gpu_activity_rows(Database& database, RunFilter run, const StepFilter& steps) {
  std::vector<GpuActivityRow> rows;
  for (const RunName& name : runs_named(database, run)) add_activities_of(database, name, steps, rows);
  return rows;
}

}  // namespace ampprof
