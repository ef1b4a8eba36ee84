// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/thread_state.h"

#include <atomic>

namespace ampprof::profiler {
namespace {

std::atomic<std::int32_t> g_next_number{0};

}  // namespace

ThreadState::ThreadState() : number(g_next_number++) {}

ThreadState& ThreadState::current() {
  thread_local ThreadState state;
  return state;
}

}  // namespace ampprof::profiler
