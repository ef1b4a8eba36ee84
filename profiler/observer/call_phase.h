// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "reports/records/phase.h"

namespace ampprof::profiler {

class BackwardLinks;
struct CallContext;
struct ThreadState;

/// Returns which part of a step a call belongs to, as autograd's state and what the thread is inside of tell.
Phase phase_of(const CallContext& call);

/// Notices, when a call begins, that the forward of a custom autograd function runs, and links its node to the module
/// around it.
///
/// A custom function makes its node first, then switches gradients off for its forward. So where they are off, and were
/// on when the last op call ended, a node that no op call made says that such a forward runs. It has ended where they
/// are on again, or where its outputs get their node.
void notice_custom_function(ThreadState& thread, BackwardLinks& links);
/// Links the node of the function that runs, if one does, to its first call. Called when a call ends.
void link_custom_function(const ThreadState& thread, std::int64_t call_site, BackwardLinks& links);

/// Returns the number that FunctionRuns knows the function by whose backward this thread runs.
std::uint64_t number_of_running_function();

/// Remembers what autograd is like, after each call that the observer saw, recorded or not.
void leave_call(ThreadState& thread);

}  // namespace ampprof::profiler
