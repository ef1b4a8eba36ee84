// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "profiler/calls/call_sites.h"
#include "profiler/calls/function_runs.h"
#include "profiler/calls/op_info.h"
#include "profiler/calls/pending_call.h"
#include "profiler/calls/signature_ids.h"
#include "profiler/impact/impact_ledger.h"
#include "profiler/loss/loss_ids.h"
#include "profiler/loss/loss_scales.h"
#include "profiler/observer/module_scopes.h"
#include "profiler/observer/seen_losses.h"
#include "profiler/observer/training_loops.h"
#include "profiler/scopes/masters.h"
#include "profiler/source/site_places.h"
#include "profiler/steps/compiled_regions.h"

namespace ampprof::profiler {

/// The state that the session's lock guards; reached through Locked alone. Each member owns one idea and knows none of
/// the others.
struct SessionState {
  TrainingLoops loops;  ///< where in which step the program is
  ModuleScopes scopes;  ///< in which module
  OpInfos ops;          ///< what is known of each operator
  CallSites sites;      ///< of op calls
  SitePlaces places;    ///< the lines of these
  SignatureIds signatures;
  FunctionRuns functions;  ///< of the current segment
  CompiledRegions regions;
  Masters masters;                   ///< of parameters
  std::vector<PendingCall> pending;  ///< calls whose figures are still on a device
  std::size_t arrived = 0;           ///< of the first so many they have come
  bool is_complete_after_backward =
      false;                              ///< a GradScaler was waited for; what comes after can wait for the next time
  bool is_complete_after_update = false;  ///< those of the step that an update has just ended
  CheckedParameters checked;
  LossScales scales;
  ImpactLedger impacts;
  LossIds loss_ids;  ///< of a program without an engine
  SeenLosses losses;
  int loss_id = 0;        ///< of the loss that is going backward
  bool has_loss = false;  ///< one was seen that no engine told of
};

}  // namespace ampprof::profiler
