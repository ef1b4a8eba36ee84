// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/nonfinite_outcomes.h"

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "profiler/observer/session_core.h"

namespace ampprof::profiler {
namespace {

/// Finds parameters and gradients with NaN or inf by their memory, without reading values.
void look_at_parameters(SessionCore& core, const Locked& state) {
  if (!core.nonfinite_memory.has_any()) return;
  const auto id_of = [&](const at::Tensor& tensor) {
    return core.nonfinite_memory.id_of(NonfiniteMemory::of(*tensor.unsafeGetTensorImpl()));
  };
  state->scopes.modules.each_parameter([&](c10::intrusive_ptr<c10::TensorImpl> alive, const std::string& name) {
    const at::Tensor parameter(std::move(alive));
    if (const auto id = id_of(parameter)) core.trace.reached(*id, NonfiniteOutcome::Weight, name, 0);
    const at::Tensor& gradient = parameter.grad();
    if (!gradient.defined()) return;
    const auto id = id_of(gradient);
    if (id) core.trace.reached_gradient(*id, name, 0, NonfiniteMemory::of(*gradient.unsafeGetTensorImpl()));
  });
}

void record(SessionCore& core, std::vector<NonfiniteEvent> events) {
  if (events.empty()) return;
  core.recorder.add([&](Batch& batch) { std::ranges::move(events, std::back_inserter(batch.events)); });
}

}  // namespace

void notice_loss(SessionCore& core, const at::Tensor& loss) {
  if (!loss.has_storage()) return;
  const auto id = core.nonfinite_memory.mark(loss.storage().getWeakStorageImpl(), {.is = NonfiniteOutcome::Loss});
  if (id) core.trace.reached(*id, NonfiniteOutcome::Loss, "", 0);
}

void settle_nonfinite(SessionCore& core, const Locked& state) {
  look_at_parameters(core, state);
  record(core, core.trace.settle(state->loops.first().steps.expected_step()));
  core.nonfinite_memory.step_ended();
}

void settle_all_nonfinite(SessionCore& core, const Locked& state) {
  look_at_parameters(core, state);
  record(core, core.trace.settle_all());
  for (std::int64_t left_out = core.trace.take_left_out(); left_out > 0; --left_out) {
    core.missing.note("non-finite events", "more than 256 calls of one step made NaN or inf from finite values",
                      "ampprof show ops lists every op with a NaN or inf");
  }
}

}  // namespace ampprof::profiler
