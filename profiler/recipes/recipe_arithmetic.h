// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <string>
#include <vector>

#include "precision/replay/reference/arithmetic.h"
#include "profiler/calls/call.h"
#include "profiler/recipes/recipe_products.h"

namespace ampprof::profiler {

/// The arithmetic of a replay in recipes. In a replayed step, matmuls of the forward take the replay's own operands,
/// and the replay continues with the first recipe's results. The replay's backward is exact. With `--screen` no step is
/// replayed: matmuls take the program's operands, and their results are dropped. Matmuls of the backward always take
/// the program's operands. Thread-safe. Call the `…_ended` functions on the thread of the op call.
class RecipeArithmetic final : public reference::Exact {
 public:
  /// dgrad and wgrad are computed in one of kStepsForBackward sampled steps, with `--impact` in one of kStepsForTape.
  /// They cost two more products for each recipe, and with `--impact` a tape and passes over it. In every step they
  /// would take more time than everything else together.
  static constexpr std::int64_t kStepsForBackward = 4, kStepsForTape = 8;

  /// `has_step`: the step is replayed in the first recipe. Throws RecipeError if a recipe is unknown or cannot be
  /// loaded.
  RecipeArithmetic(at::ScalarType precision, const std::vector<std::string>& recipes, bool has_step);
  ~RecipeArithmetic() override;

  bool has_step() const { return has_step_; }

  /// Begins a call on this thread. Drops the findings of earlier calls.
  static void begin(const CallContext& call);

  bool computes(const c10::OperatorHandle& op) const override;
  void compute(const reference::ReplayedCall& call, std::vector<at::Tensor>& outputs) override;

  /// Returns the findings for a forward call that has ended on this thread.
  RecipeFindings forward_ended(const Call& call);
  /// Returns the findings for a backward call that has ended. `call.saved` holds its arguments.
  RecipeFindings backward_ended(const Call& call);

 private:
  struct State;

  void compute_layer(const reference::ReplayedCall& replayed, const LayerCall& call, at::Tensor& output);
  void compute_attention(const reference::ReplayedCall& replayed, std::vector<at::Tensor>& outputs);
  void layer_backward(const BackwardMatmul& matmul, const LayerCall& call, const RecipeLayer& layer,
                      RecipeFindings& findings);
  void attention_backward(const Call& call, const c10::FunctionSchema& forward, const std::vector<RecipeLayer>& layers,
                          RecipeFindings& findings);

  const bool has_step_;
  const std::unique_ptr<State> state_;
};

}  // namespace ampprof::profiler
