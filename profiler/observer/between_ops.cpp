// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/between_ops.h"

#include <c10/util/SmallVector.h>
#include <torch/types.h>

#include <memory>

#include "profiler/calls/call.h"
#include "profiler/observer/gradient_events.h"
#include "profiler/observer/session_core.h"

namespace ampprof::profiler {
namespace {

using Memory = BetweenSteps::Memory;
using Made = BetweenSteps::Made;
using Reader = BetweenSteps::Reader;

/// Calls `visit` with the address of each argument's TensorImpl and with that of its storage. The storage also
/// identifies views that no observed op made.
template <typename Visit>
void for_each_memory(const CallContext& call, Visit&& visit) {
  for_each_tensor(call.arguments(), [&](const at::Tensor& tensor) {
    const c10::TensorImpl* impl = tensor.unsafeGetTensorImpl();
    visit(static_cast<Memory>(impl));
    if (const Memory memory = GradientLeaves::identity_of(*impl); memory != impl) visit(memory);
  });
}

/// Returns whether the call is part of a backward pass or of an update, with or without an optimizer's step().
bool updates(const CallContext& call) {
  if (!call.thread.optimizer_steps.empty() || call.info.unscales || call.info.updates_scale) return true;
  if (call.phase == Phase::Backward || call.phase == Phase::Recompute) return true;
  bool has_leaf = false;
  if (call.info.writes_first) {
    for_each_tensor(call.arguments(), [&](const at::Tensor& tensor) {
      const auto memory = GradientLeaves::identity_of(*tensor.unsafeGetTensorImpl());
      has_leaf = has_leaf || call.place.loop->leaves.tensor_in(memory).defined();
    });
  }
  return has_leaf;
}

template <typename Pointer>
std::shared_ptr<const void> keep_address(Pointer weak) {
  return std::make_shared<const Pointer>(std::move(weak));
}

using AllMade = c10::SmallVector<Made, 8>;

/// Adds a result of a call to `made`. `with_memory` is false if the result may share another tensor's memory.
void add_made(const at::Tensor& tensor, bool with_memory, const BetweenSteps& held, AllMade& made) {
  c10::TensorImpl* impl = tensor.unsafeGetTensorImpl();
  made.push_back({.memory = impl});
  if (!held.keeps(impl)) {
    made.back().keeps_address = keep_address(c10::weak_intrusive_ptr<c10::TensorImpl>(tensor.getIntrusivePtr()));
  }
  const Memory memory = GradientLeaves::identity_of(*impl);
  if (!with_memory || memory == impl) return;
  made.push_back({.memory = memory});
  if (!held.keeps(memory)) made.back().keeps_address = keep_address(impl->unsafe_storage().getWeakStorageImpl());
}

}  // namespace

bool goes_on_with_graph(const CallContext& call) {
  bool has_leaf = false;
  for_each_tensor(call.arguments(), [&](const at::Tensor& tensor) {
    has_leaf = has_leaf || (tensor.requires_grad() && tensor.is_leaf());
  });
  return !has_leaf;
}

void notice_reads(SessionCore& core, const Locked& /*state*/, CallContext& call) {
  TrainingLoop& loop = *call.place.loop;
  StepTracker& steps = loop.steps;
  HeldAround& held = steps.held();
  if (!held.is_open()) {
    if (held.before().is_empty()) return;
    for_each_memory(call, [&](Memory memory) { held.before().read(memory, Reader::StepAfter); });
    return;
  }
  if (updates(call)) {
    for_each_memory(call, [&](Memory memory) { held.after().read(memory, Reader::StepBefore); });
    return;
  }
  const std::int64_t now_ns = core.clock.now_ns();
  if (!steps.current().recorded && !records(core, loop, next_step(steps), now_ns)) return;
  c10::SmallVector<Memory, 16> reads;
  for_each_memory(call, [&](Memory memory) { reads.push_back(memory); });
  bool has_graph = false, has_gradient = false;
  for_each_tensor(call.arguments(), [&](const at::Tensor& tensor) {
    has_graph = has_graph || (tensor.requires_grad() && !tensor.is_leaf());
    const c10::TensorImpl& impl = *tensor.unsafeGetTensorImpl();
    has_gradient = has_gradient || (loop.leaves.may_be_gradient(impl) && !loop.leaves.owners_of_memory(impl).empty());
  });
  call.place.held = held.hold(steps.segment(), now_ns,
                              {.reads = {reads.data(), reads.size()},
                               .reads_step = has_graph || has_gradient,
                               .makes_graph = has_graph && c10::GradMode::is_enabled(),
                               .only_writes_or_asks = call.info.writes_first || !call.info.returns_tensor});
  record_corrections(core, loop);
}

void notice_made(const Locked& /*state*/, const CallContext& call) {
  const bool has_memory = call.info.writes_first || !call.info.may_be_view;
  BetweenSteps& held = call.place.loop->steps.held().after();
  AllMade made;
  for_each_tensor(call.results(), [&](const at::Tensor& tensor) { add_made(tensor, has_memory, held, made); });
  held.made(call.place.held, {made.data(), made.size()});
}

}  // namespace ampprof::profiler
