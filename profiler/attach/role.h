// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/preload/hooks.h"
#include "reports/recording/options.h"

/// Decides the role of this process. One process of a program is recorded, and it is not known beforehand which.
///
/// A process waits for its first op. Then it is a candidate, which records in memory only. It asks for the claim, the
/// right to write the report, when it trains: at a backward pass, an optimizer's step, or the start of an AMP engine. A
/// process that is not a worker of another one also asks after a thousand ops, and when it ends. So the claim goes to
/// the process that trains, and not to a launcher, a script that makes a few constants before it starts workers, or a
/// data loader's worker. A process that finds the claim taken becomes a bystander. If it trains, `missing` reports
/// that.
///
/// Without begin_role() the functions return Session::current(). Thread-safe.
namespace ampprof::profiler {

class Session;

/// Begins to wait for the first op. Call it once for each recording. `own_worker`: another process of the program
/// started this one as its worker.
void begin_role(const preload::Stub& stub, const recording::Options& options, bool own_worker);

/// Returns whether op calls of this process may still be recorded.
bool is_role_open();

/// Returns the session that records an op call; null if the call is not recorded. The first op call begins a session.
Session* session_for_op();
/// Returns the session for a module, a name or an NVTX range; null if there is none. The first of these events begins a
/// session, even before the first op.
Session* session_for_name();
/// Asks for the claim, and returns the session for a training event; null if there is none.
Session* session_for_training();
/// Returns the session for a parameter's name, which Python reports when a module with parameters runs. A worker asks
/// for the claim here, as in training.
Session* session_for_model();

/// Resets the role in a forked child. Call it right after the fork.
void role_after_fork();
/// Writes the rest of the report when the process ends.
void end_role();
/// Writes the rest of the report when the program ends its own recording.
void end_recording();

}  // namespace ampprof::profiler
