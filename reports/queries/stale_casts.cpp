// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/stale_casts.h"

#include "reports/queries/lookups.h"

namespace ampprof::queries {

namespace {

constexpr const char* kStaleCasts =
    "SELECT t.call_site, coalesce(s.position, 0), t.parameter, t.dtype, count(*), "
    "max(coalesce(s.step, 0) - coalesce(c.step, 0)), sum(t.elements), sum(t.differing), total(t.sum_sq_change), "
    "total(t.sum_sq_cast) FROM stale_cast t "
    "LEFT JOIN segment s ON s.run = t.run AND s.id = t.segment "
    "LEFT JOIN segment c ON c.run = t.run AND c.id = t.cast_segment WHERE t.run = ? GROUP BY 1, 2, 3, 4 "
    "ORDER BY 1, 2, 3, 4";

void add_stale_casts_of(const Report& report, const RunName& run, std::vector<StaleCastRow>& rows) {
  const CallSites sites = call_sites_of(report, run.id);
  const CallSiteNames names(sites, places_of(report, run.id));
  store::Statement found(report, kStaleCasts, run.id);
  while (found.next()) {
    StaleCastRow& row = rows.emplace_back();
    const std::int64_t site = found.integer();
    put_place(row, run, {site, static_cast<std::int32_t>(found.integer())}, sites, names);
    row.total.parameter = found.text();
    row.total.dtype = dtype_from_number(found.integer());
    row.hits = found.integer();
    row.steps_old = found.integer();
    row.total.elements = found.integer();
    row.total.differing = found.integer();
    row.total.sum_sq_change = found.real();
    row.total.sum_sq_cast = found.real();
  }
}

}  // namespace

std::vector<StaleCastRow> stale_casts(const Report& report, RunFilter run) {
  return rows_of_runs<StaleCastRow>(report, run, add_stale_casts_of);
}

}  // namespace ampprof::queries
