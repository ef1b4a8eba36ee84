// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/trials.h"

#include "reports/store/tables.h"

namespace ampprof::queries {

std::vector<TrialRow> trials(const Report& report) {
  static const std::string kTrials =
      "SELECT r.id, r.level, r.program, r.seed, coalesce(r.wall_ns, 0) / 1e9, r.exit_code, " +
      store::columns_of(store::kTrial, "t.") + " FROM trial t JOIN run r ON r.id = t.run ORDER BY r.id";
  return store::rows_of(report, kTrials, [](store::Statement& row) {
    return TrialRow{.run = row.integer(),
                    .level = row.text(),
                    .program = row.text(),
                    .seed = row.optional_integer(),
                    .seconds = row.real(),
                    .exit_code = row.optional_integer(),
                    .trial = store::take(row, store::kTrial)};
  });
}

}  // namespace ampprof::queries
