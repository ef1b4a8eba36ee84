// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/missing.h"

#include "reports/queries/lookups.h"
#include "reports/store/tables.h"

namespace ampprof::queries {

std::vector<MissingRow> missing(const Report& report, RunFilter run) {
  const std::string sql = "SELECT m.run, r.level, " + store::columns_of(store::kMissing, "m.") +
                          " FROM missing m JOIN run r ON r.id = m.run WHERE " + is_of_run("m.run") +
                          "ORDER BY m.run, m.count DESC, m.what, m.cause";
  const auto read = [](store::Statement& row) {
    return MissingRow{.run = row.integer(), .level = row.text(), .missing = store::take(row, store::kMissing)};
  };
  return store::rows_of(report, sql, read, run);
}

}  // namespace ampprof::queries
