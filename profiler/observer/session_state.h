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

/// The state that the session's lock guards, accessible through Locked alone. The members are independent of each
/// other.
struct SessionState {
  TrainingLoops loops;  ///< the program's current segments and steps
  ModuleScopes scopes;  ///< its current modules
  OpInfos ops;          ///< facts on each operator
  CallSites sites;      ///< of op calls
  SitePlaces places;    ///< the lines of call sites
  SignatureIds signatures;
  FunctionRuns functions;  ///< of the current segment
  CompiledRegions regions;
  Masters masters;                   ///< of parameters
  std::vector<PendingCall> pending;  ///< calls whose figures are still on a device
  std::size_t arrived = 0;           ///< the figures of this many calls at the front have arrived
  bool is_complete_after_backward = false;  ///< a GradScaler was waited for; later figures can wait for the next time
  bool is_complete_after_update = false;    ///< the figures of the step that an update has just ended are complete
  CheckedParameters checked;
  LossScales scales;
  ImpactLedger impacts;
  LossIds loss_ids;  ///< for a program without an engine
  SeenLosses losses;
  int loss_id = 0;        ///< of the loss of the current backward pass
  bool has_loss = false;  ///< a loss was seen that no engine reported
};

}  // namespace ampprof::profiler
