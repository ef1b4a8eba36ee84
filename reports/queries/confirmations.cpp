// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/confirmations.h"

#include "reports/store/confirmation_table.h"

namespace ampprof::queries {

std::vector<ConfirmationRow> confirmations(const Report& report) {
  static const std::string kConfirmations =
      "SELECT run, " + store::columns_of(store::kConfirmation) + " FROM confirmation ORDER BY run, kind, remedy";
  return store::rows_of(report, kConfirmations, [](store::Statement& row) {
    return ConfirmationRow{.run = row.integer(), .confirmation = store::take(row, store::kConfirmation)};
  });
}

}  // namespace ampprof::queries
