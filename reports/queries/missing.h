// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/queries/report.h"
#include "reports/records/run.h"

namespace ampprof::queries {

/// Something of a run that the report does not hold.
struct MissingRow {
  std::int64_t run = 0;
  std::string level;
  Missing missing;
};

/// Returns what the report does not hold, the most frequent first.
std::vector<MissingRow> missing(const Report& report, RunFilter run = {});

}  // namespace ampprof::queries
