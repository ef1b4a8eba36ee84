// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/queries/report.h"
#include "reports/records/run.h"

namespace ampprof::queries {

/// Missing data of a run.
struct MissingRow {
  std::int64_t run = 0;
  std::string level;
  Missing missing;
};

/// Returns missing data, the most frequent first.
std::vector<MissingRow> missing(const Report& report, RunFilter run = {});

}  // namespace ampprof::queries
