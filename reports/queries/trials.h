// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/queries/report.h"
#include "reports/records/run.h"

namespace ampprof::queries {

/// A run of `ampprof search` that has ended.
struct TrialRow {
  std::int64_t run = 0;
  std::string level;  ///< "" if the program decided
  std::string program;
  std::optional<std::int64_t> seed;
  double seconds = 0.0;  ///< wall time of the recorder; 0 if unknown
  std::optional<int> exit_code;
  Trial trial;
};

/// Returns all trials, in the order of their runs.
std::vector<TrialRow> trials(const Report& report);

}  // namespace ampprof::queries
