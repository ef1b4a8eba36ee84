// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/scales.h"

#include "reports/queries/lookups.h"
#include "reports/store/tables.h"

namespace ampprof::queries {

std::vector<ScaleRow> scales(const Report& report, RunFilter run) {
  store::Statement rows(report, "SELECT u.run, r.level, coalesce(s.step, 0), coalesce(s.position, 0), " +
                                    store::columns_of(store::kScaleUpdate, "u.") +
                                    " FROM scale_update u JOIN run r ON r.id = u.run "
                                    "LEFT JOIN segment s ON s.run = u.run AND s.id = u.segment "
                                    "WHERE " +
                                    is_of_run("u.run") + "ORDER BY u.run, u.rowid");
  rows.put(run);
  std::vector<ScaleRow> scales;
  while (rows.next()) {
    ScaleRow& row = scales.emplace_back();
    row.run = rows.integer();
    row.level = rows.text();
    row.step = rows.integer();
    row.position = static_cast<std::int32_t>(rows.integer());
    row.update = store::take(rows, store::kScaleUpdate);
  }
  return scales;
}

}  // namespace ampprof::queries
