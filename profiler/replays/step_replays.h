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

/// Returns the precision that references, steps and tapes are computed in: kDouble, or kFloat.
at::ScalarType precision_of(const recording::Options& options);

/// The replays beside a program: its steps in exact arithmetic, its steps in recipes, or, with --screen, recipes on the
/// program's own operands. Each is a run of the report. These runs differ in errors and impacts only. Thread-safe.
class StepReplays {
 public:
  using Counterparts = variant::VariantMemory;  ///< of the program's tensors, in one step

  /// Makes the replays that the options ask for. Throws RecipeError for an unknown recipe or one that cannot be loaded.
  explicit StepReplays(const recording::Options& options);

  std::size_t size() const { return steps_.size(); }
  /// Returns whether steps are replayed: all replays do, or none.
  bool have_steps() const { return !steps_.empty() && steps_.front().step != nullptr; }
  bool have_recipes() const { return !steps_.empty() && steps_.front().recipes != nullptr; }

  // The replay of run `i` of the report; null if that run has none.
  variant::Variant* step(std::size_t i) const { return i < size() ? steps_[i].step.get() : nullptr; }
  RecipeArithmetic* recipes(std::size_t i) const { return i < size() ? steps_[i].recipes : nullptr; }

  /// Returns the counterpart of this tensor in each replay of the step.
  std::vector<variant::Counterpart> of(const at::Tensor& tensor) const;

  /// Reads `parameter` as `master` if it has no counterpart.
  void link(const at::Tensor& parameter, const at::Tensor& master) const;

  /// Begins every step again from the program's state.
  void restart() const;
  /// Begins again if no step could go on. See variant::Variant, also for lose().
  void restart_lost() const;
  void lose(c10::ArrayRef<c10::IValue> results) const;

 private:
  struct One {
    std::unique_ptr<reference::Arithmetic> arithmetic;
    std::unique_ptr<variant::Variant> step;
    RecipeArithmetic* recipes = nullptr;  ///< the arithmetic, if it is one of recipes
  };

  std::vector<One> steps_;
};

}  // namespace ampprof::profiler
