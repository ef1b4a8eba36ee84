// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "reports/records/call_facts.h"
#include "reports/records/collective.h"
#include "reports/records/drift.h"
#include "reports/records/event.h"
#include "reports/records/gpu_activity.h"
#include "reports/records/gradient_impact.h"
#include "reports/records/interned_text.h"
#include "reports/records/loss_impact.h"
#include "reports/records/nvtx_range.h"
#include "reports/records/op_call.h"
#include "reports/records/recipe_matmul.h"
#include "reports/records/run.h"
#include "reports/records/sketch.h"
#include "reports/records/step.h"

/// Plain records that the recorder hands to the store. The recorder chooses ids, unique within a run, from 1. Times are
/// nanoseconds since the run's recorder started. Absent values are empty optionals, and NULL in the file.
namespace ampprof {

/// All records that a recorder hands over at once. The store writes them in one transaction.
struct Batch {
  std::vector<InternedText> signatures;
  std::vector<InternedText> activity_names;
  std::vector<InternedText> range_names;
  std::vector<CallSite> call_sites;
  std::vector<Segment> segments;  ///< a segment with the id of an earlier one replaces its row
  std::vector<OpCall> calls;
  std::vector<PlainCall> plain_calls;
  std::vector<LossImpact> impacts;
  std::vector<GradientImpact> gradient_impacts;
  std::vector<GradientError> gradient_errors;
  std::vector<StepDecrease> decreases;
  std::vector<RecipeMatmul> recipe_matmuls;
  std::vector<CastRecord> casts;
  std::vector<StaleCast> stale_casts;
  std::vector<GpuActivity> activities;
  std::vector<NvtxRange> ranges;
  std::vector<WeightUpdate> updates;
  std::vector<Drift> drifts;
  std::vector<ParameterChecksum> checksums;
  std::vector<CollectiveCall> collectives;  ///< a call with segment and call site of an earlier one replaces its row
  std::vector<CollectiveSketch> collective_sketches;
  std::vector<Sketch> sketches;
  std::vector<CallDecisions> decisions;
  std::vector<LossValue> losses;
  std::vector<ScaleUpdate> scale_updates;
  std::vector<OptimizerTotal> optimizers;  ///< a total with the id of an earlier one replaces its row
  std::vector<NonfiniteEvent> events;
  std::vector<Missing> missing;
};

}  // namespace ampprof
