// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/scales.h"

#include "reports/queries/lookups.h"
#include "reports/store/tables.h"

namespace ampprof::queries {

std::vector<ScaleRow> scales(const Report& report, RunFilter run) {
  const std::string sql = "SELECT u.run, r.level, coalesce(s.step, 0), coalesce(s.position, 0), " +
                          store::columns_of(store::kScaleUpdate, "u.") +
                          " FROM scale_update u JOIN run r ON r.id = u.run "
                          "LEFT JOIN segment s ON s.run = u.run AND s.id = u.segment "
                          "WHERE " +
                          is_of_run("u.run") + "ORDER BY u.run, u.rowid";
  const auto read = [](store::Statement& row) {
    return ScaleRow{.run = row.integer(),
                    .level = row.text(),
                    .step = row.integer(),
                    .position = static_cast<std::int32_t>(row.integer()),
                    .update = store::take(row, store::kScaleUpdate)};
  };
  return store::rows_of(report, sql, read, run);
}

}  // namespace ampprof::queries
