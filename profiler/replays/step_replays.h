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

/// The replays beside a program: its steps in exact arithmetic, its steps in recipes, or, with --screen, only its
/// matmuls in recipes, on the program's own operands. Each is a run of the report. Runs differ in errors and impacts
/// only. Thread-safe.
class StepReplays {
 public:
  using Counterparts = variant::VariantMemory;  ///< counterparts of the program's tensors in one replay

  /// Makes the replays that the options ask for. Throws RecipeError if a recipe is unknown or cannot be loaded.
  explicit StepReplays(const recording::Options& options);

  std::size_t size() const { return steps_.size(); }
  /// Returns whether steps are replayed. Either all replays have steps, or none has.
  bool have_steps() const { return !steps_.empty() && steps_.front().step != nullptr; }
  bool have_recipes() const { return !steps_.empty() && steps_.front().recipes != nullptr; }

  // Return the step's replay, or the recipes, of run `i` of the report; null if the run has none.
  variant::Variant* step(std::size_t i) const { return i < size() ? steps_[i].step.get() : nullptr; }
  RecipeArithmetic* recipes(std::size_t i) const { return i < size() ? steps_[i].recipes : nullptr; }

  /// Returns the counterpart of this tensor in each replay of the step.
  std::vector<variant::Counterpart> of(const at::Tensor& tensor) const;

  /// Makes replays read the values of `master` in place of a `parameter` without a counterpart.
  void link(const at::Tensor& parameter, const at::Tensor& master) const;

  /// Restarts every replay from the program's state.
  void restart() const;
  /// Restarts every replay in the middle of a step. variant::Variant explains this function and lose().
  void restart_lost() const;
  void lose(c10::ArrayRef<c10::IValue> results) const;

 private:
  struct One {
    std::unique_ptr<reference::Arithmetic> arithmetic;
    std::unique_ptr<variant::Variant> step;
    RecipeArithmetic* recipes = nullptr;  ///< points to `arithmetic` if that is a RecipeArithmetic; else null
  };

  std::vector<One> steps_;
};

}  // namespace ampprof::profiler
