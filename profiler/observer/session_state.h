// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "profiler/calls/call_sites.h"
#include "profiler/calls/op_info.h"
#include "profiler/calls/pending_call.h"
#include "profiler/calls/recomputed_functions.h"
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

/// The state that the session's lock guards, accessible only through Locked. Its members do not use each other.
struct SessionState {
  TrainingLoops loops;  ///< the program's current segments and steps
  ModuleScopes scopes;  ///< names of modules and parameters
  OpInfos ops;          ///< facts about each operator
  CallSites sites;      ///< call sites of op calls
  SitePlaces places;    ///< the lines of call sites
  SignatureIds signatures;
  RecomputedFunctions functions;  ///< custom functions of the current segment
  CompiledRegions regions;
  Masters masters;                          ///< master weights of parameters
  std::vector<PendingCall> pending;         ///< calls whose statistics are still on a device
  std::size_t arrived = 0;                  ///< number of calls at the front of `pending` whose statistics have arrived
  bool is_complete_after_backward = false;  ///< statistics were read with a GradScaler's flag; later calls can wait
  bool is_complete_after_update = false;    ///< the calls of the step were completed by the update that ended it
  CheckedParameters checked;
  LossScales scales;
  ImpactLedger impacts;
  LossIds loss_ids;  ///< for a program without an AMP engine
  SeenLosses losses;
  int loss_id = 0;        ///< id of the loss of the current backward pass
  bool has_loss = false;  ///< a loss was recorded that no AMP engine reported
};

}  // namespace ampprof::profiler
