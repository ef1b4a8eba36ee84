// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "reports/queries/rows.h"

namespace ampprof {
namespace {

constexpr const char* kCasts =
    "SELECT call_site, coalesce(s.position, 0), dtype_from, dtype_to, sum(casts), sum(cache_hits), sum(bytes), "
    "sum(duration_ns), sum(rounded_twice) FROM cast_record c LEFT JOIN segment s ON s.run = c.run AND s.id = c.segment "
    "WHERE c.run = ? GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4";

void add_casts_of(Database& database, const RunName& run, std::vector<CastRow>& rows) {
  const CallSites sites = call_sites_of(database, run.id);
  const CallSiteNames names(sites, places_of(database, run.id));
  Statement casts(database, kCasts);
  casts.put(run.id);
  while (casts.next()) {
    CastRow& row = rows.emplace_back();
    row.run = run.id;
    row.level = run.level;
    row.call_site_id = casts.integer();
    row.position = static_cast<std::int32_t>(casts.integer());
    row.call_site = names.name({row.call_site_id, row.position});
    row.total.from = dtype_from_number(casts.integer());
    row.total.to = dtype_from_number(casts.integer());
    row.total.casts = casts.integer();
    row.total.cache_hits = casts.integer();
    row.total.bytes = casts.integer();
    row.total.duration_ns = casts.integer();
    row.total.rounded_twice = casts.integer();
    const auto site = sites.find(row.call_site_id);
    if (site == sites.end()) continue;
    row.phase = site->second.phase;
    row.module = site->second.module;
    row.op = site->second.op;
  }
}

}  // namespace

std::vector<CastRow> cast_rows(Database& database, RunFilter run) {
  std::vector<CastRow> rows;
  for (const RunName& name : runs_named(database, run)) add_casts_of(database, name, rows);
  return rows;
}

}  // namespace ampprof
