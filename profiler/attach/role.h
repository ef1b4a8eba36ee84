// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/preload/hooks.h"
#include "reports/recording/options.h"

/// Decides which part this process plays: of all processes of a program one is recorded, and none knows beforehand
/// which.
///
/// It waits for its first op. From there on it is a candidate, which records in memory only. It asks for the claim when
/// it does what a program is recorded for: a backward pass, an optimizer's step, an AMP engine. A process that is no
/// worker of another one also does so after a thousand ops, and when it ends. So a launcher, a script that makes a few
/// constants before it starts workers, and a data loader's workers leave the claim to who trains. Who finds it taken
/// steps aside and is watched until it trains, which `missing` will say.
///
/// Where begin_role() was not called, Session::current() is all there is. Thread-safe.
namespace ampprof::profiler {

class Session;

/// Begins to wait for the first op; again, once a recording has ended. `own_worker`: another process of the program
/// started this one to work for it.
void begin_role(const preload::Stub& stub, const recording::Options& options, bool own_worker);

/// Returns whether op calls of this process may still be of interest.
bool is_role_open();

/// Returns the session that an op call belongs to; null where there is none.
Session* session_for_op();
/// Returns the session that is told a name or a module; begins one, as an op does.
Session* session_for_name();
/// Returns the session of what only a process that trains does.
Session* session_for_training();
/// Returns the session of a module that holds parameters and is run: for a worker this decides as training does.
Session* session_for_model();

/// Begins anew in a forked child. Call it right after the fork.
void role_after_fork();
/// Writes what is left, when the process ends.
void end_role();
/// Writes what is left, when the program ends its own recording.
void end_recording();

}  // namespace ampprof::profiler
