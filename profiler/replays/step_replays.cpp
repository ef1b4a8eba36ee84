// SPDX-License-Identifier: Apache-2.0
#include "profiler/replays/step_replays.h"

#include <utility>

#include "precision/formats/recipes/listed.h"
#include "precision/formats/types/number_format.h"
#include "precision/tensors/observer_disabled_guard.h"

namespace ampprof::profiler {

at::ScalarType precision_of(const recording::Options& options) {
  return options.reference == recording::ReferenceMode::Double ? at::kDouble : at::kFloat;
}

StepReplays::StepReplays(const recording::Options& options) {
  const at::ScalarType precision = precision_of(options);
  const auto add_exact = [&] {
    One& one = steps_.emplace_back();
    one.arithmetic = std::make_unique<reference::Exact>(precision);
    one.step = std::make_unique<variant::Variant>(*one.arithmetic);
  };
  const auto add_recipes = [&](const std::vector<std::string>& names, bool has_step) {
    One& one = steps_.emplace_back();
    auto recipes = std::make_unique<RecipeArithmetic>(precision, names, has_step);
    one.recipes = recipes.get();
    one.arithmetic = std::move(recipes);
    if (has_step) one.step = std::make_unique<variant::Variant>(*one.arithmetic);
  };
  if (options.inherited) add_exact();
  if (!options.screen.empty()) add_recipes(recipes::listed(options.screen), /*has_step=*/false);
  if (options.what_if.empty() || error::what_if_type(options.what_if)) return;
  for (const std::string& name : recipes::listed(options.what_if)) add_recipes({name}, /*has_step=*/true);
}

std::vector<variant::Counterpart> StepReplays::of(const at::Tensor& tensor) const {
  const tensors::ObserverDisabledGuard guard;
  std::vector<variant::Counterpart> found;
  for (const One& one : steps_) {
    found.push_back(one.step ? variant::Counterpart{one.step->of(tensor), one.step->depends_on_decisions(tensor)}
                             : variant::Counterpart{});
  }
  return found;
}

void StepReplays::link(const at::Tensor& parameter, const at::Tensor& master) const {
  for (const One& one : steps_) {
    if (one.step) one.step->memory().link(parameter, master);
  }
}

void StepReplays::restart() const {
  for (const One& one : steps_) {
    if (one.step) one.step->restart();
  }
}

void StepReplays::restart_lost() const {
  for (const One& one : steps_) {
    if (one.step) one.step->restart_lost();
  }
}

void StepReplays::lose(c10::ArrayRef<c10::IValue> results) const {
  for (const One& one : steps_) {
    if (one.step) one.step->lose(results);
  }
}

}  // namespace ampprof::profiler
