// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/sketches.h"

#include <map>
#include <string>
#include <tuple>

#include "reports/queries/lookups.h"
#include "reports/store/tables.h"

namespace ampprof::queries {

std::vector<SketchRow> sketches(const Report& report, std::int64_t run) {
  const store::Snapshot snapshot(report);
  const CallSites sites = call_sites_of(report, run);
  const CallSiteNames names(sites, places_of(report, run));
  store::Statement rows(report,
                        "SELECT coalesce(s.step, 0), coalesce(s.position, 0), " +
                            store::columns_of(store::kSketch, "k.") +
                            " FROM sketch k LEFT JOIN segment s ON s.run = k.run AND s.id = k.segment "
                            "WHERE k.run = ? ORDER BY k.rowid",
                        run);
  std::vector<SketchRow> sketches;
  std::map<std::tuple<std::int64_t, Phase, std::string, std::string>, std::int32_t> counts;
  while (rows.next()) {
    SketchRow& row = sketches.emplace_back();
    row.step = rows.integer();
    const auto position = static_cast<std::int32_t>(rows.integer());
    row.sketch = store::take(rows, store::kSketch);
    put_place(row, {.id = run, .level = ""}, {row.sketch.call_site, position}, sites, names);
    row.ordinal = counts[{row.sketch.segment, row.phase, row.module, row.op}]++;
  }
  return sketches;
}

}  // namespace ampprof::queries
