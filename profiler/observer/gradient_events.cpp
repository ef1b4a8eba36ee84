// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/gradient_events.h"

#include <torch/types.h>

#include <algorithm>
#include <exception>

#include "profiler/calls/call.h"
#include "profiler/calls/signatures.h"
#include "profiler/observer/session_core.h"
#include "profiler/torch_hooks/backward_pass.h"
#include "profiler/torch_hooks/torch_state.h"

namespace ampprof::profiler {
namespace {

bool sets_zero(const CallContext& call) {
  if (call.info.sets_zero) return true;
  if (!call.info.may_set_zero || call.arguments().size() < 2) return false;
  const c10::IValue& factor = call.arguments()[1];
  return factor.isScalar() && factor.toScalar().equal(0);
}

void take_changes(TrainingLoop& loop) {
  const GradientLeaves::Changes changes = loop.leaves.take_changes();
  for (const LeafId leaf : changes.replaced) loop.lives.use(leaf);
  for (const LeafId leaf : changes.cleared) loop.lives.clear(leaf);
  for (const LeafId leaf : changes.dead) loop.lives.drop(leaf);
  loop.steps.take_claims();
}

/// Returns whether a gradient may be among the arguments. A cheap filter: false for most calls without a gradient.
bool may_take_gradient(const CallContext& call) {
  const GradientLeaves& leaves = call.place.loop->leaves;
  return std::ranges::any_of(call.arguments(), [&](const c10::IValue& value) {
    return value.isTensor() ? leaves.may_be_gradient(*value.unsafeToTensorImpl()) : value.isList();
  });
}

/// Returns the leaves whose gradients are among the arguments.
std::vector<LeafId> leaves_of_gradients(const CallContext& call) {
  const GradientLeaves& leaves = call.place.loop->leaves;
  std::vector<LeafId> found;
  for_each_tensor(call.arguments(), [&](const at::Tensor& tensor) {
    if (!leaves.may_be_gradient(*tensor.unsafeGetTensorImpl())) return;
    for (const LeafId leaf : leaves.owners_of_memory(*tensor.unsafeGetTensorImpl())) found.push_back(leaf);
  });
  return found;
}

}  // namespace

void begin_pass(SessionCore& core, const Locked& /*state*/, const BackwardPass& pass, std::int32_t place) {
  TrainingLoop& loop = *pass.loop;
  const auto& optimizers = ThreadState::current().optimizer_steps;
  take_changes(loop);
  loop.steps.pass_begun(pass.id, place, optimizers.empty() ? 0 : optimizers.front().number);
  record_corrections(core, loop);
}

void reach_leaf(const Locked& /*state*/, const c10::TensorImpl& leaf) {
  const BackwardPass* pass = current_pass();
  if (pass == nullptr || !pass->is_of_loss) return;
  if (const auto id = pass->loop->leaves.reached(leaf, pass->id)) pass->loop->lives.reach(pass->id, *id);
}

void end_pass(SessionCore& core, const Locked& /*state*/, const BackwardPass& pass) {
  if (!pass.is_of_loss) return;
  TrainingLoop& loop = *pass.loop;
  for (const LeafId leaf : loop.leaves.pass_ended(pass.id)) loop.lives.drop(leaf);
  loop.lives.end(pass.id, std::uncaught_exceptions() > pass.exceptions_before);
  loop.steps.take_claims();
  record_corrections(core, loop);
}

void notice_gradients(SessionCore& core, const Locked& /*state*/, const CallContext& call,
                      const ArgumentsSeen& arguments) {
  TrainingLoop& loop = *call.place.loop;
  // If all gradients are used, only calls that unscale gradients or set them to zero matter.
  const bool may_matter =
      loop.lives.count_unused().leaves > 0 || call.info.sets_zero || call.info.may_set_zero || call.info.unscales;
  if (!may_matter) return;
  const bool records_gradients = call.phase == Phase::Forward && arguments.has_grad;
  if (records_gradients || call.info.only_views || !loop.leaves.has_gradients() || !may_take_gradient(call)) return;
  const std::vector<LeafId> leaves = leaves_of_gradients(call);
  if (leaves.empty() || inside_backward()) return;
  const bool clears = sets_zero(call);
  for (const LeafId leaf : leaves) clears ? loop.lives.clear(leaf) : loop.lives.use(leaf);
  loop.steps.take_claims();
  if (call.info.unscales) loop.steps.leaves_held(leaves);
  record_corrections(core, loop);
}

void notice_changes(SessionCore& core, const Locked& /*state*/, TrainingLoop& loop) {
  if (!loop.leaves.may_have_changed() || loop.lives.count_unused().passes == 0) return;
  take_changes(loop);
  record_corrections(core, loop);
}

std::vector<LeafId> ids_of(TrainingLoop& loop, const std::vector<GradientLeaves::Identity>& leaves) {
  std::vector<LeafId> ids;
  ids.reserve(leaves.size());
  for (const auto leaf : leaves) {
    if (leaf != nullptr) ids.push_back(loop.leaves.id_of(leaf));
  }
  return ids;
}

void record_corrections(SessionCore& core, TrainingLoop& loop) {
  const auto [renumbered, held, joined] = loop.steps.take_corrections();
  if (joined > 0) {
    core.missing.note(
        "beginnings of steps",
        "gradients were discarded, or used twice, without a forward pass in between: two steps count as one",
        "mark the end of each step with ampprof::step() (ampprof.step() in Python)");
  }
  if (!held.empty()) core.recorder.place(held);
  if (renumbered.empty()) return;
  core.recorder.add(
      [&](Batch& batch) { batch.segments.insert(batch.segments.end(), renumbered.begin(), renumbered.end()); });
}

}  // namespace ampprof::profiler
