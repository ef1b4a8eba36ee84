// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "profiler/replays/step_replays.h"
#include "profiler/torch_hooks/leaf_calls.h"

namespace ampprof::profiler {

struct CallContext;
class MissingNotes;

/// Runs the leaf ops of a call in one replay of the step.
class VariantLeaves final : public LeafObserver {
 public:
  /// Both outlive this.
  VariantLeaves(variant::Variant& step, MissingNotes& missing) : step_(step), missing_(missing) {}

  std::unique_ptr<LeafCall> before(const c10::OperatorHandle& op, const torch::jit::Stack& stack) override;
  void failed(const c10::OperatorHandle& op, const std::string& why, c10::ArrayRef<c10::IValue> results) override;

  /// Returns how many leaf ops the replay ran.
  std::int64_t replayed() const { return replayed_; }

 private:
  void follow(const c10::OperatorHandle& op, reference::SavedCall saved, c10::ArrayRef<c10::IValue> results);

  variant::Variant& step_;
  MissingNotes& missing_;
  std::int64_t replayed_ = 0;
};

/// Shows recipes the matmuls of a call on the program's own operands: --screen.
class ScreenedLeaves final : public LeafObserver {
 public:
  ScreenedLeaves(RecipeArithmetic& recipes, MissingNotes& missing) : recipes_(recipes), missing_(missing) {}

  std::unique_ptr<LeafCall> before(const c10::OperatorHandle& op, const torch::jit::Stack& stack) override;
  void failed(const c10::OperatorHandle& op, const std::string& why, c10::ArrayRef<c10::IValue> results) override;

 private:
  RecipeArithmetic& recipes_;
  MissingNotes& missing_;
};

/// Everything that runs the leaf ops of one call again, or records them to be run again later.
class CallReplays {
 public:
  /// `tape`: null where nobody records the call. All outlives this.
  CallReplays(const StepReplays& replays, LeafObserver* tape, const CallContext& call, MissingNotes& missing);

  /// Returns an empty list where nobody looks at leaf ops of the call.
  const std::vector<LeafObserver*>& observers() const { return observers_; }

  /// Returns how many leaf ops replays ran.
  std::int64_t replayed() const;

 private:
  std::vector<VariantLeaves> steps_;
  std::vector<ScreenedLeaves> screened_;
  std::vector<LeafObserver*> observers_;
};

/// Says that what this call's results inherited is not known.
void note_not_followed(MissingNotes& missing, const std::string& op, const std::string& reason);

}  // namespace ampprof::profiler
