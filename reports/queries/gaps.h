// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/queries/place_of_call.h"
#include "reports/queries/report.h"
#include "reports/records/phase.h"

namespace ampprof::queries {

/// Idle time of GPUs before the activities that one call site launched: no stream of the device is busy, and such an
/// activity comes next. The first activity of a device has no gap before it.
struct GapRow : CallSiteColumns<std::optional<Phase>> {
  std::int64_t gaps = 0;
  double idle_us = 0.0;  ///< sum over the gaps
  std::optional<double>
      unlaunched_us{};  ///< part before the thread launched the next activity; empty unless known for all gaps
  double longest_us = 0.0;
  std::int64_t longest_step = 0;  ///< step of the activity after the longest gap
};

std::vector<GapRow> gaps(const Report& report, RunFilter run = {});

}  // namespace ampprof::queries
