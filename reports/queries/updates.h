// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/queries/report.h"
#include "reports/records/step.h"

namespace ampprof::queries {

/// Sums up the optimizer's updates of one parameter.
struct UpdateRow {
  std::int64_t run = 0;
  std::string level;
  std::string call_site;
  std::string source;  ///< file:line of the call site, "" if unknown
  WeightUpdate total;  ///< over all steps; has `lost` only if every step has it
  /// Whether the run updates an FP32 or FP64 master of this reduced-precision parameter too. The master keeps what
  /// rounding its copy loses.
  bool has_master = false;
};

std::vector<UpdateRow> updates(const Report& report, RunFilter run = {});

}  // namespace ampprof::queries
