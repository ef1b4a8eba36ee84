// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/started_at.h"

#include "reports/store/sqlite.h"

namespace ampprof::queries {

std::optional<std::int64_t> started_at(const Report& report, std::int64_t run) {
  // unixepoch() needs SQLite 3.38.
  store::Statement row(report, "SELECT CAST(strftime('%s', started_at) AS INTEGER) FROM run WHERE id = ?", run);
  if (!row.next()) return std::nullopt;
  return row.optional_integer();
}

}  // namespace ampprof::queries
