// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "precision/advice/run_facts.h"
#include "reports/queries/events.h"
#include "reports/queries/impacts.h"
#include "reports/queries/ops.h"
#include "reports/queries/scales.h"

namespace ampprof::advice {

/// A run of the same program with torch.compile.
struct CompiledRun {
  std::int64_t recorded_steps = 0;
  std::vector<queries::OpRow> ops;
};

/// Rows of a report for the advice about one run. All rows except `plain` and `compiled` are from that run.
struct Evidence {
  RunFacts run;
  std::vector<queries::OpRow> ops;
  std::vector<queries::ImpactRow> impacts;
  std::vector<queries::EventRow> events;
  std::vector<queries::ScaleRow> scales;
  std::vector<queries::OpRow>
      plain;  ///< ops of a run of the same program in FP32, to find the cost of FP32; may be empty
  std::optional<CompiledRun> compiled;  ///< present only if the run itself does not use torch.compile
};

}  // namespace ampprof::advice
