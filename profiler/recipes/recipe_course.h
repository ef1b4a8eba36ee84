// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <string>
#include <vector>

#include "precision/replay/variant/other_products.h"
#include "profiler/calls/call.h"
#include "profiler/recipes/recipe_products.h"

namespace ampprof::profiler {

/// Computes the matmuls of a program as recipes would, beside it: those of the forward on the operands of a shadow,
/// which goes on with what the first recipe gives, or with `--screen` on the program's own; those of the backward on
/// the program's own. Thread-safe; finding is for the thread of the call.
class RecipeCourse final : public shadow::OtherProducts {
 public:
  /// Numbers of deep steps of which one has dgrad and wgrad: two products more for each recipe, and with a shadow a
  /// tape and its passes, which in every step would cost more than all else.
  static constexpr std::int64_t kStepsForBackward = 4, kStepsForTape = 8;

  /// Throws RecipeError for a recipe that cannot be had.
  RecipeCourse(const std::vector<std::string>& recipes, bool has_shadow);
  ~RecipeCourse();

  /// With a shadow, that is the course of the first recipe.
  bool has_shadow() const { return has_shadow_; }

  /// A call begins on this thread: what was found in others is dropped.
  static void call_begins(const Call& call);

  // Forward, inside a call.
  bool wants(const c10::OperatorHandle& op) const override;
  void replace(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments,
               c10::ArrayRef<c10::IValue> counterparts, c10::ArrayRef<c10::IValue> returned,
               std::vector<at::Tensor>& outputs) override;
  /// Returns what was found in the call of this thread that has ended.
  RecipeFindings forward_ended(const Call& call);
  /// Returns what was found in a call of backward that has ended. `call.kept` holds its arguments.
  RecipeFindings backward_ended(const Call& call);

 private:
  struct State;

  void replace_layer(const LayerCall& call, c10::ArrayRef<c10::IValue> arguments,
                     c10::ArrayRef<c10::IValue> counterparts, c10::ArrayRef<c10::IValue> returned, at::Tensor& output);
  void replace_attention(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments,
                         c10::ArrayRef<c10::IValue> counterparts, c10::ArrayRef<c10::IValue> returned,
                         std::vector<at::Tensor>& outputs);
  void layer_backward(const BackwardMatmul& matmul, const LayerCall& call, const RecipeLayer& layer,
                      RecipeFindings& findings);
  void attention_backward(const Call& call, const c10::FunctionSchema& forward, const std::vector<RecipeLayer>& layers,
                          RecipeFindings& findings);

  const bool has_shadow_;
  const std::unique_ptr<State> state_;
};

}  // namespace ampprof::profiler
