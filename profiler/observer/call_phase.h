// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "reports/records/phase.h"

namespace ampprof::profiler {

class BackwardLinks;
struct CallContext;
struct ThreadState;

/// Returns the phase of a call, from autograd's state and from the modules, optimizers and functions in progress on its
/// thread.
Phase phase_of(const CallContext& call);

/// Notices, when a call begins, that the forward of a custom autograd function is running, and links its node to the
/// enclosing module.
///
/// A custom function makes its node first, and then disables gradients for its forward. So its forward is running if
/// gradients are disabled now, were enabled when the last op call ended, and a node was made since then that no op call
/// made. The forward has ended when gradients are enabled again, or when its outputs get their node.
void notice_custom_function(ThreadState& thread, BackwardLinks& links);
/// Links the node of the running function, if any, to its first call. Called when a call ends.
void link_custom_function(const ThreadState& thread, std::int64_t call_site, BackwardLinks& links);

/// Returns the number by which RecomputedFunctions identifies the custom function whose backward this thread is
/// running.
std::uint64_t number_of_running_function();

/// Remembers autograd's state for notice_custom_function(). Called after each observed op call, recorded or not.
void leave_call(ThreadState& thread);

}  // namespace ampprof::profiler
