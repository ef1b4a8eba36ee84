// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/util/SmallVector.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "precision/tensors/call_sketch.h"
#include "profiler/calls/output_figures.h"
#include "profiler/calls/stage.h"
#include "reports/records/op_call.h"
#include "reports/records/step.h"

namespace ampprof::profiler {

using StageCalls = c10::SmallVector<std::unique_ptr<StageCall>, 8>;

/// A call whose figures were on a device when it ended. It is recorded at the end of its step.
struct PendingCall {
  OpCall record;
  std::int64_t held = 0;  ///< number that stands for its segment (BetweenSteps); 0: it is known
  Phase phase;
  OutputFigures figures;
  StageCalls stages;
};

/// Tells what an update left in a parameter, with a checksum that comes later.
struct PendingChecksum {
  ParameterChecksum row;
  tensors::LateSketch bits;
};

/// Parameters of which checksums were asked for.
struct CheckedParameters {
  bool has_begun = false;                ///< the values before the first update were checked
  std::vector<PendingChecksum> pending;  ///< still on a device
  std::set<std::string> left_out;        ///< those that `missing` counts already
};

}  // namespace ampprof::profiler
