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

/// How long GPUs did nothing before activity of one place began: in no stream of the device, and what came next was
/// this place's. Before the first activity of a device there is no gap.
struct GapRow : PlaceOfCall<std::optional<Phase>> {
  std::int64_t gaps = 0;
  double idle_us = 0.0;  ///< added up
  std::optional<double>
      unlaunched_us{};  ///< of that, before the thread launched what came; empty where not known of all
  double longest_us = 0.0;
  std::int64_t longest_step = 0;  ///< in which the activity behind the longest gap was launched
};

std::vector<GapRow> gaps(const Report& report, RunFilter run = {});

}  // namespace ampprof::queries
