// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/gpu_activities.h"

#include "reports/queries/lookups.h"
#include "reports/store/sqlite.h"
#include "reports/store/totals.h"

namespace ampprof::queries {

namespace {

void add_activities_of(const Report& report, const RunName& run, const StepFilter& steps,
                       std::vector<GpuActivityRow>& rows) {
  const auto [totals, places] = totals_of(report, run.id, steps);
  const CallSites sites = call_sites_of(report, run.id);
  const auto texts = activity_names_of(report, run.id);
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

std::vector<GpuActivityRow> gpu_activities(const Report& report, RunFilter run, const StepFilter& steps) {
  return rows_of_runs<GpuActivityRow>(report, run, add_activities_of, steps);
}

}  // namespace ampprof::queries
