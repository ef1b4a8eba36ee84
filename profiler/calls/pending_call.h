// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/util/SmallVector.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "precision/tensors/call_sketch.h"
#include "profiler/calls/call_output_statistics.h"
#include "profiler/calls/stage.h"
#include "reports/records/op_call.h"
#include "reports/records/step.h"

namespace ampprof::profiler {

using StageCalls = c10::SmallVector<std::unique_ptr<StageCall>, 8>;

/// A call that ended while its statistics were still on a device. It is recorded at the end of the step.
struct PendingCall {
  OpCall record;
  std::int64_t held = 0;  ///< number that replaces the segment of a held call (BetweenSteps); 0 if the segment is known
  Phase phase;
  CallOutputStatistics figures;
  StageCalls stages;
};

/// The state of a parameter after an update, with a checksum that arrives later.
struct PendingChecksum {
  ParameterChecksum row;
  tensors::PendingSketch bits;
};

/// The parameters whose checksums were requested.
struct CheckedParameters {
  bool has_begun = false;                ///< the check before the first update has run
  std::vector<PendingChecksum> pending;  ///< checksums still on a device
  std::set<std::string> left_out;        ///< parameters that cannot be checked and that `missing` already counts
};

}  // namespace ampprof::profiler
