// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

/// The work of all streams, done by one thread in the order in which it was given: later than the call that gave it, so
/// that who reads a result without waiting reads what was there before.
namespace fake_cuda::work {

using Work = std::function<void()>;
using Ticket = std::uint64_t;  // 0 is done

/// Gives work, which may be empty: it takes its time all the same.
Ticket give(Work work);
bool is_done(Ticket ticket);
void wait_for(Ticket ticket);
/// Waits for all that was given until now.
void wait_for_all();

}  // namespace fake_cuda::work
