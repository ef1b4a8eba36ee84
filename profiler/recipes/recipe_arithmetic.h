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

/// The arithmetic of recipes. A step replayed in it has the matmuls of the forward on its own operands, and goes on
/// with what the first recipe gives; its backward is exact. With `--screen` there is no such step: matmuls are
/// computed on the program's own operands, and dropped. Matmuls of the backward are computed on the program's own
/// operands. Thread-safe; finding is for the thread of the call.
class RecipeArithmetic final : public reference::Exact {
 public:
  /// Numbers of sampled steps of which one has dgrad and wgrad: two products more for each recipe, and with a step a
  /// tape and its passes, which in every step would cost more than all else.
  static constexpr std::int64_t kStepsForBackward = 4, kStepsForTape = 8;

  /// `has_step`: the step is replayed in the first recipe. Throws RecipeError for a recipe that cannot be had.
  RecipeArithmetic(at::ScalarType precision, const std::vector<std::string>& recipes, bool has_step);
  ~RecipeArithmetic() override;

  bool has_step() const { return has_step_; }

  /// A call begins on this thread: what was found in others is dropped.
  static void begin(const CallContext& call);

  bool computes(const c10::OperatorHandle& op) const override;
  void compute(const reference::ReplayedCall& call, std::vector<at::Tensor>& outputs) override;

  /// Returns what was found in the call of this thread that has ended.
  RecipeFindings forward_ended(const Call& call);
  /// Returns what was found in a call of backward that has ended. `call.saved` holds its arguments.
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
