// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "reports/records/phase.h"

namespace ampprof::profiler {

class BackwardLinks;
struct CallContext;
struct ThreadState;

/// Returns the part of a step that a call belongs to, from autograd's state and the calls that the thread is inside of.
Phase phase_of(const CallContext& call);

/// Notices, when a call begins, that the forward of a custom autograd function is running, and links its node to the
/// enclosing module.
///
/// A custom function makes its node first, and then switches gradients off for its forward. So such a forward is
/// running if gradients are off, were on when the last op call ended, and there is a node that no op call made. The
/// forward has ended when gradients are on again, or when its outputs get their node.
void notice_custom_function(ThreadState& thread, BackwardLinks& links);
/// Links the node of the running function, if any, to its first call. Called when a call ends.
void link_custom_function(const ThreadState& thread, std::int64_t call_site, BackwardLinks& links);

/// Returns the FunctionRuns number of the function whose backward this thread is running.
std::uint64_t number_of_running_function();

/// Remembers autograd's state after each observed call, recorded or not.
void leave_call(ThreadState& thread);

}  // namespace ampprof::profiler
