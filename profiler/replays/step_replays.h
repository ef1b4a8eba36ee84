// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "precision/replay/variant/counterpart.h"
#include "precision/replay/variant/variant.h"
#include "profiler/recipes/recipe_arithmetic.h"
#include "reports/recording/options.h"

namespace ampprof::profiler {

/// Returns the precision of references, replayed steps and tapes: kDouble or kFloat.
at::ScalarType precision_of(const recording::Options& options);

/// The replays of a program: of its steps in exact arithmetic, of its steps in recipes, or, with --screen, only of its
/// matmuls in recipes, on the program's own operands. Each replay is a run of the report. These runs differ in errors
/// and impacts only. Thread-safe.
class StepReplays {
 public:
  using Counterparts = variant::VariantMemory;  ///< counterparts of the program's tensors in one replay

  /// Makes the replays that the options ask for. Throws RecipeError if a recipe is unknown or cannot be loaded.
  explicit StepReplays(const recording::Options& options);

  std::size_t size() const { return steps_.size(); }
  /// Returns whether whole steps are replayed. Either all replays have steps, or none has.
  bool have_steps() const { return !steps_.empty() && steps_.front().step != nullptr; }
  bool have_recipes() const { return !steps_.empty() && steps_.front().recipes != nullptr; }

  // Return the replay of the step, or the recipes, for run `i` of the report; null if that run has none.
  variant::Variant* step(std::size_t i) const { return i < size() ? steps_[i].step.get() : nullptr; }
  RecipeArithmetic* recipes(std::size_t i) const { return i < size() ? steps_[i].recipes : nullptr; }

  /// Returns the counterpart of this tensor in each replay of the step.
  std::vector<variant::Counterpart> of(const at::Tensor& tensor) const;

  /// Makes replays read the values of `master` in place of `parameter` while `parameter` has no counterpart.
  void link(const at::Tensor& parameter, const at::Tensor& master) const;

  /// Restarts all replays from the program's state.
  void restart() const;
  /// Restarts all replays in the middle of a step. variant::Variant explains this function and lose().
  void restart_lost() const;
  void lose(c10::ArrayRef<c10::IValue> results) const;

 private:
  struct One {
    std::unique_ptr<reference::Arithmetic> arithmetic;
    std::unique_ptr<variant::Variant> step;
    RecipeArithmetic* recipes = nullptr;  ///< `arithmetic` as a RecipeArithmetic; null if it is not one
  };

  std::vector<One> steps_;
};

}  // namespace ampprof::profiler
