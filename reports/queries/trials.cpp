// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/trials.h"

#include "reports/store/tables.h"

namespace ampprof::queries {

std::vector<TrialRow> trials(const Report& report) {
  store::Statement rows(report, "SELECT r.id, r.level, r.program, r.seed, coalesce(r.wall_ns, 0) / 1e9, r.exit_code, " +
                                    store::columns_of(store::kTrial, "t.") +
                                    " FROM trial t JOIN run r ON r.id = t.run ORDER BY r.id");
  std::vector<TrialRow> trials;
  while (rows.next()) {
    TrialRow& row = trials.emplace_back();
    row.run = rows.integer();
    row.level = rows.text();
    row.program = rows.text();
    row.seed = rows.optional_integer();
    row.seconds = rows.real();
    if (const auto code = rows.optional_integer()) row.exit_code = static_cast<int>(*code);
    row.trial = store::take(rows, store::kTrial);
  }
  return trials;
}

}  // namespace ampprof::queries
