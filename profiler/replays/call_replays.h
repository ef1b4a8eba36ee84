// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/replays/step_replays.h"
#include "profiler/torch_hooks/leaf_calls.h"
#include "reports/records/phase.h"

namespace ampprof::profiler {

struct CallContext;
class MissingNotes;
class Recorder;

/// Describes the op call whose leaf ops a replay runs.
struct ReplayedFrom {
  std::string_view op = {};  ///< must outlive this object
  Phase phase = Phase::Forward;
  std::function<std::string()> place = {};  ///< returns "file:line", or "" if unknown; may be null
};

/// Runs the leaf ops of a call in one replay of the step.
class VariantLeaves final : public LeafObserver {
 public:
  /// All arguments must outlive this object.
  VariantLeaves(variant::Variant& step, MissingNotes& missing, const ReplayedFrom& call)
      : step_(step), missing_(missing), call_(call) {}

  std::unique_ptr<LeafCall> before(const c10::OperatorHandle& op, const torch::jit::Stack& stack) override;
  void failed(const c10::OperatorHandle& op, const std::string& why, c10::ArrayRef<c10::IValue> results) override;

  /// Returns how many leaf ops the replay ran.
  std::int64_t replayed() const { return replayed_; }
  /// Returns the decisions that these leaf ops made.
  const variant::Decisions& decisions() const { return decisions_; }

 private:
  void follow(const c10::OperatorHandle& op, reference::SavedCall saved, c10::ArrayRef<c10::IValue> results);
  void note_decisions(const variant::Followed& followed);

  variant::Variant& step_;
  MissingNotes& missing_;
  const ReplayedFrom& call_;
  std::int64_t replayed_ = 0;
  variant::Decisions decisions_;
};

/// Passes the matmuls of a call to the recipes of --screen, with the program's own operands.
class ScreenedLeaves final : public LeafObserver {
 public:
  ScreenedLeaves(RecipeArithmetic& recipes, MissingNotes& missing) : recipes_(recipes), missing_(missing) {}

  std::unique_ptr<LeafCall> before(const c10::OperatorHandle& op, const torch::jit::Stack& stack) override;
  void failed(const c10::OperatorHandle& op, const std::string& why, c10::ArrayRef<c10::IValue> results) override;

 private:
  RecipeArithmetic& recipes_;
  MissingNotes& missing_;
};

/// The observers of a call's leaf ops: the replays, which run each leaf op again at once, and the tape, which records
/// the leaf ops.
class CallReplays {
 public:
  /// `tape`: null if the call is not taped. `place`: returns the source line of the call. All arguments must outlive
  /// this object.
  CallReplays(const StepReplays& replays, LeafObserver* tape, const CallContext& call, MissingNotes& missing,
              std::function<std::string()> place);

  /// Returns the observers; an empty list if no observer needs the call's leaf ops.
  const std::vector<LeafObserver*>& observers() const { return observers_; }

  /// Returns how many leaf ops all replays together ran.
  std::int64_t replayed() const;

  /// Records the decisions of each replay in the replay's run of the report. Skips a recomputed call, whose decisions
  /// were recorded when the original call ran.
  void record_decisions(const CallContext& call, Recorder& recorder) const;

 private:
  const ReplayedFrom from_;
  std::vector<VariantLeaves> steps_;
  std::vector<std::size_t> runs_;  ///< run of the report for each of `steps_`
  std::vector<ScreenedLeaves> screened_;
  std::vector<LeafObserver*> observers_;
};

/// Notes that the inherited error of this call's results is unknown.
void note_not_followed(MissingNotes& missing, const std::string& op, const std::string& reason);

}  // namespace ampprof::profiler
