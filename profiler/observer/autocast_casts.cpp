// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/autocast_casts.h"

#include "precision/tensors/dtype_of.h"
#include "precision/tensors/plain_memory.h"
#include "profiler/calls/thread_state.h"
#include "profiler/observer/session_core.h"

namespace ampprof::profiler {

void AutocastCasts::gave(const at::Tensor& operand, const at::Tensor& result, std::int64_t begun_ns) {
  if (result.is_same(operand)) return;
  ThreadState& thread = ThreadState::current();
  const std::int64_t duration_ns = core_.clock.now_ns() - begun_ns;
  // Casts of unrecorded steps are tracked too, because a later step may take the copy from autocast's cache.
  const auto cast_segment = cache_.given(operand, result, thread.in_call ? thread.last_segment : segment_of(thread));
  if (!thread.in_call) return;
  const DType from = tensors::dtype_of(operand);
  const DType to = tensors::dtype_of(result);
  const bool wrote = !cast_segment && tensors::has_plain_memory(result);
  thread.add_cast({.from = from,
                   .to = to,
                   .casts = 1,
                   .cache_hits = cast_segment ? 1 : 0,
                   .bytes = wrote ? static_cast<std::int64_t>(result.nbytes()) : 0,
                   .duration_ns = cast_segment ? 0 : duration_ns,
                   .rounded_twice = is_reduced_precision(from) && is_reduced_precision(to) ? 1 : 0});
  if (cast_segment && core_.options.reference != recording::ReferenceMode::Off) {
    keep_cache_hit({.operand = operand, .copy = result, .cast_segment = *cast_segment});
  }
}

std::int64_t AutocastCasts::segment_of(const ThreadState& thread) const {
  return core_.lock()->loops.of(thread).steps.current().id;
}

}  // namespace ampprof::profiler
