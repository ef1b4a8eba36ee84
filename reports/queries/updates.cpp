// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/updates.h"

#include <set>
#include <span>

#include "reports/queries/lookups.h"
#include "reports/records/dtype.h"

namespace ampprof::queries {

namespace {

// `lost` is NULL if some steps have no reference, since `elements` is the sum over all steps.
constexpr const char* kUpdates =
    "SELECT call_site, coalesce(s.position, 0), parameter, dtype, sum(elements), "
    "CASE WHEN count(lost) = count(*) THEN sum(lost) END, sum(below_half_ulp), total(sum_ulp) FROM weight_update u "
    "LEFT JOIN segment s ON s.run = u.run AND s.id = u.segment WHERE u.run = ? GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4";

/// Sets UpdateRow::has_master in the rows of one run.
void find_masters(std::span<UpdateRow> rows) {
  std::set<std::string> unreduced;
  for (const UpdateRow& row : rows) {
    if (!is_reduced_precision(row.total.dtype)) unreduced.insert(row.total.parameter);
  }
  for (UpdateRow& row : rows) {
    row.has_master = is_reduced_precision(row.total.dtype) && unreduced.contains(row.total.parameter);
  }
}

void add_updates_of(const Report& report, const RunName& run, std::vector<UpdateRow>& rows) {
  const std::size_t first = rows.size();
  const CallSites sites = call_sites_of(report, run.id);
  const CallSiteNames names(sites, places_of(report, run.id));
  store::Statement updates(report, kUpdates, run.id);
  while (updates.next()) {
    UpdateRow& row = rows.emplace_back();
    row.run = run.id;
    row.level = run.level;
    const std::int64_t site = updates.integer();
    row.call_site = names.name({site, static_cast<std::int32_t>(updates.integer())});
    if (const auto known = sites.find(site); known != sites.end()) row.source = known->second.source;
    row.total.parameter = updates.text();
    row.total.dtype = dtype_from_number(updates.integer());
    row.total.count = updates.integer();
    row.total.lost = updates.optional_integer();
    row.total.below_half_ulp = updates.integer();
    row.total.sum_ulp = updates.real();
  }
  find_masters(std::span(rows).subspan(first));
}

}  // namespace

std::vector<UpdateRow> updates(const Report& report, RunFilter run) {
  return rows_of_runs<UpdateRow>(report, run, add_updates_of);
}

}  // namespace ampprof::queries
