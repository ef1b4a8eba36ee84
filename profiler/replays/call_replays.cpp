// SPDX-License-Identifier: Apache-2.0
#include "profiler/replays/call_replays.h"

#include <utility>

#include "precision/tensors/observer_disabled_guard.h"
#include "profiler/calls/call.h"
#include "profiler/recorder/missing_notes.h"
#include "profiler/recorder/recorder.h"

namespace ampprof::profiler {
namespace {

/// Returns whether replay `i` runs the call. A replay in a recipe skips updates: it begins each step from the program's
/// weights, so nothing would read weights that it updates itself.
bool follows(const StepReplays& replays, std::size_t i, const CallContext& call) {
  const bool is_update = call.phase == Phase::Optimizer && !call.thread.optimizer_steps.empty();
  return call.has_replays && replays.step(i) != nullptr && !(replays.recipes(i) != nullptr && is_update);
}

/// Returns whether --screen computes the products of this call before it ends. Products of the backward are computed
/// afterwards.
bool is_screened(const CallContext& call) {
  return call.followed && call.access.is_readable && call.phase != Phase::Backward && call.phase != Phase::Optimizer;
}

}  // namespace

void note_not_followed(MissingNotes& missing, const std::string& op, const std::string& reason) {
  missing.note("accumulated error", op + ": " + reason,
               "the shadow uses the op's recorded results, so later accumulated errors lack the errors of earlier ops");
}

void VariantLeaves::follow(const c10::OperatorHandle& op, reference::SavedCall saved,
                           c10::ArrayRef<c10::IValue> results) {
  using Outcome = reference::ReplayOutcome;
  const bool is_backward = call_.phase == Phase::Backward;
  const variant::Followed replay =
      step_.follow(op, std::move(saved), results, is_backward ? variant::Pass::Backward : variant::Pass::Forward);
  decisions_ += replay.decisions;
  if (replay.outcome == Outcome::Ran) ++replayed_;
  const bool is_lost =
      replay.outcome == Outcome::Unsupported || replay.outcome == Outcome::Failed || replay.outcome == Outcome::Random;
  if (is_lost && !replay.reason.empty()) note_not_followed(missing_, display_name(op.schema()), replay.reason);
  note_decisions(replay);
}

void VariantLeaves::note_decisions(const variant::Followed& followed) {
  using variant::OtherValue;
  const auto note = [&](const char* what, const std::string& cause, const char* remedy) {
    const std::string place = call_.place ? call_.place() : "";
    missing_.note(what, std::string(call_.op) + (place.empty() ? "" : " at " + place) + cause, remedy);
  };
  if (followed.took_run_integers) {
    note("decisions of the replayed step", ": the replay's own indices would lie outside a table",
         "the replay uses the run's indices there");
  }
  if (followed.changed_sizes) {
    note("gradients of the replayed step", " would give another number of elements in the replay",
         "in these steps the gradients follow the run's choices; the loss does not, unless the program itself reads "
         "sizes");
  }
  const bool leads = followed.other_value == OtherValue::Flag ||
                     (call_.op == "is_nonzero" && followed.other_value == OtherValue::Number);
  if (leads) {
    step_.lose_all();
    note("losses of the replayed step", " would lead the replay into another branch of the program",
         "from there on the shadow follows the run's branch; its losses are left out until the next step");
  } else if (followed.other_value == OtherValue::Number) {
    note("decisions of the replayed step", " would give the program another number in the replay",
         "run and shadow both continue with the run's number");
  }
}

std::unique_ptr<LeafCall> VariantLeaves::before(const c10::OperatorHandle& op, const torch::jit::Stack& stack) {
  return when_leaf_ends([this, &op, saved = step_.prepare(op, stack)](c10::ArrayRef<c10::IValue> results) mutable {
    follow(op, std::move(saved), results);
  });
}

void VariantLeaves::failed(const c10::OperatorHandle& op, const std::string& why, c10::ArrayRef<c10::IValue> results) {
  note_not_followed(missing_, display_name(op.schema()), why);
  step_.lose(results);
}

std::unique_ptr<LeafCall> ScreenedLeaves::before(const c10::OperatorHandle& op, const torch::jit::Stack& stack) {
  if (!recipes_.computes(op)) return nullptr;
  auto arguments = torch::jit::last(stack, op.schema().arguments().size()).vec();
  return when_leaf_ends([this, &op, arguments = std::move(arguments)](c10::ArrayRef<c10::IValue> results) {
    const tensors::ObserverDisabledGuard guard;
    std::vector<at::Tensor> outputs = reference::tensors_in(results);
    recipes_.compute({op, arguments, arguments, results}, outputs);
  });
}

void ScreenedLeaves::failed(const c10::OperatorHandle& op, const std::string& why, c10::ArrayRef<c10::IValue>) {
  note_not_followed(missing_, display_name(op.schema()), why);
}

CallReplays::CallReplays(const StepReplays& replays, LeafObserver* tape, const CallContext& call, MissingNotes& missing,
                         std::function<std::string()> place)
    : from_{call.info.name, call.phase, std::move(place)} {
  if (replays.have_recipes()) RecipeArithmetic::begin(call);
  steps_.reserve(replays.size());  // observers_ points into both vectors
  screened_.reserve(replays.size());
  for (std::size_t i = 0; i < replays.size(); ++i) {
    if (follows(replays, i, call)) {
      observers_.push_back(&steps_.emplace_back(*replays.step(i), missing, from_));
      runs_.push_back(i);
    } else if (!replays.have_steps() && is_screened(call)) {
      observers_.push_back(&screened_.emplace_back(*replays.recipes(i), missing));
    }
  }
  if (tape != nullptr) observers_.push_back(tape);
}

std::int64_t CallReplays::replayed() const {
  std::int64_t count = 0;
  for (const VariantLeaves& step : steps_) count += step.replayed();
  return count;
}

void CallReplays::record_decisions(const CallContext& call, Recorder& recorder) const {
  if (call.phase == Phase::Recompute || call.record.call_site == 0) return;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const variant::Decisions& found = steps_[i].decisions();
    if (found.count == 0) continue;
    recorder.add(runs_[i], [&](Batch& batch) {
      batch.decisions.push_back({call.record.segment, call.record.call_site, found.count, found.differing});
    });
  }
}

}  // namespace ampprof::profiler
