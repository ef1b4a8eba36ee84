// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

/// Runs the work of all streams on one thread, in the order of the calls, but later. Code that reads a result without
/// waiting reads the old value.
namespace fake_cuda::work {

using Work = std::function<void()>;
using Ticket = std::uint64_t;  // number of a piece of work; 0 counts as done

/// Enqueues work. Empty work takes time, too (FAKE_CUDA_LAG_US).
Ticket give(Work work);
bool is_done(Ticket ticket);
void wait_for(Ticket ticket);
/// Waits for all work that has been enqueued.
void wait_for_all();

}  // namespace fake_cuda::work
