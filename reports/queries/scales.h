// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/queries/report.h"
#include "reports/records/step.h"

namespace ampprof::queries {

/// One decision of a loss scaler.
struct ScaleRow {
  std::int64_t run = 0;
  std::string level;
  std::int64_t step = 0;
  std::int32_t position = 0;  ///< index of the segment in its step
  ScaleUpdate update;
};

/// Returns the decisions of loss scalers, in the order of the run.
std::vector<ScaleRow> scales(const Report& report, RunFilter run = {});

}  // namespace ampprof::queries
