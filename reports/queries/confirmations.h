// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "reports/queries/report.h"
#include "reports/records/confirmation.h"

namespace ampprof::queries {

/// A remedy that `ampprof advise --confirm` tried.
struct ConfirmationRow {
  std::int64_t run = 0;  ///< run of the finding
  Confirmation confirmation;
};

/// Returns all confirmations of a report, ordered by run, finding and remedy.
std::vector<ConfirmationRow> confirmations(const Report& report);

}  // namespace ampprof::queries
