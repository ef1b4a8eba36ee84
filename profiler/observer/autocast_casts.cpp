// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/autocast_casts.h"

#include "precision/tensors/dtype_of.h"
#include "precision/tensors/plain_memory.h"
#include "profiler/calls/thread_state.h"
#include "profiler/observer/session_core.h"

namespace ampprof::profiler {

void AutocastCasts::gave(const at::Tensor& operand, const at::Tensor& result, std::int64_t begun_ns) {
  ThreadState& thread = ThreadState::current();
  if (!thread.in_call || result.is_same(operand)) return;
  const std::int64_t duration_ns = core_.clock.now_ns() - begun_ns;
  const auto origin = cache_.given(operand, result, thread.last_segment);
  const DType from = tensors::dtype_of(operand);
  const DType to = tensors::dtype_of(result);
  const bool wrote = !origin && tensors::has_plain_memory(result);
  thread.add_cast({.from = from,
                   .to = to,
                   .casts = 1,
                   .cache_hits = origin ? 1 : 0,
                   .bytes = wrote ? static_cast<std::int64_t>(result.nbytes()) : 0,
                   .duration_ns = origin ? 0 : duration_ns,
                   .rounded_twice = is_reduced_precision(from) && is_reduced_precision(to) ? 1 : 0});
}

}  // namespace ampprof::profiler
