// SPDX-License-Identifier: Apache-2.0
// The passes over the tape of a step, and their results.
#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <span>
#include <utility>

#include "precision/impact/products.h"
#include "precision/replay/reference/arguments.h"
#include "precision/replay/reference/failure.h"
#include "precision/replay/tape/update_pieces.h"
#include "precision/tensors/observer_disabled_guard.h"
#include "profiler/gradient_impact/gradient_replay.h"
#include "profiler/gradient_impact/rounded_backward.h"

namespace ampprof::profiler {
namespace {

at::Tensor wide(const at::Tensor& tensor, at::ScalarType precision) {
  return reference::is_below(tensor.scalar_type(), precision) ? tensor.to(precision) : tensor.detach();
}

std::vector<at::Tensor> mean_of(const std::vector<at::Tensor>& some, const std::vector<at::Tensor>& others) {
  std::vector<at::Tensor> means = some;
  for (std::size_t i = 0; i < means.size(); ++i) {
    if (means[i].defined() && others[i].defined()) means[i] = means[i].add(others[i]).mul_(0.5);
  }
  return means;
}

/// Relative error of a gradient above which the chord of the update replaces its derivative. With a smaller error, the
/// chord would depend on only a few bits of a weight.
constexpr double kChordThreshold = 0.01;

}  // namespace

struct GradientReplay::Finding {
  StepGradients found{};
  bool is_found = false;                 ///< the passes have run
  std::optional<double> of_gradients{};  ///< impact of the total error of the gradients
};

FinishedStep GradientReplay::finish(std::function<void(StepGradients)> found) {
  const std::lock_guard lock(mutex_);
  auto findings = new_findings();
  FinishedStep finished{.lost_a_graph = forward_.lost_a_graph()};
  std::string& reason = findings.front()->found.why_not;
  if (!roots_.empty() || !forward_.why_not().empty()) reason = why_not();
  try {
    if (reason.empty() && !was_skipped()) finished.exact = find(findings);
  } catch (const std::exception& error) {
    findings = new_findings();
    findings.front()->found.why_not = reference::reason_of(error);
  }
  if (comparison_with_shadow_ && finished.exact.empty()) finished.exact = exact_of_step_;
  update_.reset();
  numbers_->when_arrived([step = shared_from_this(), findings, found] {
    for (const auto& finding : findings) found(step->rows_of(*finding));
  });
  return finished;
}

std::vector<std::shared_ptr<GradientReplay::Finding>> GradientReplay::new_findings() const {
  std::vector<std::shared_ptr<Finding>> findings;
  for (std::size_t run = 0; run < options_.runs; ++run) {
    findings.push_back(std::make_shared<Finding>());
    findings.back()->found.run = run;
  }
  return findings;
}

/// Returns high-precision gradients at the weights before the update: the shadow's, or else those of a pass over the
/// tape. In a what-if run, returns the gradients as the recipe rounds them.
std::vector<at::Tensor> GradientReplay::other_gradients(std::size_t run, const std::vector<at::Tensor>& weights) {
  if (!options_.is_what_if) {
    return shadow_gradients_.empty() ? tape::gradients_at(forward_, weights, roots_).of_inputs : shadow_gradients_;
  }
  if (rounded_backward_[run]->empty()) return {};
  std::vector<at::Tensor> rounded = rounded_backward_[run]->gradients(forward_, weights, roots_, scale_, errors_);
  if (!is_of_many_ranks_) return rounded;
  // Adds the recipe's error in this rank's gradients to the gradients averaged over ranks.
  const std::vector<at::Tensor> exact = tape::gradients_at(forward_, weights, roots_).of_inputs;
  for (const std::size_t i : with_gradient_) {
    if (rounded[i].defined()) rounded[i] = rounded[i].sub(exact[i]).add(gradient_of_run(i), 1.0 / scale_);
  }
  return rounded;
}

/// Returns the mean of the program's gradients and `other`. If the derivative of the update is taken at this mean, its
/// error is of third order in the difference of the two.
std::vector<at::Tensor> GradientReplay::gradients_between(const std::vector<at::Tensor>& other) const {
  std::vector<at::Tensor> between(with_gradient_.size());
  for (std::size_t k = 0; k < between.size() && !other.empty(); ++k) {
    const at::Tensor& its = other[with_gradient_[k]];
    if (its.defined()) between[k] = gradient_of_run(with_gradient_[k]).add(its, scale_).mul_(0.5);
  }
  return between;
}

/// Returns the tensor that the update writes for each input: the master weight, or else the parameter.
std::vector<at::Tensor> GradientReplay::weights() const {
  std::vector<at::Tensor> weights;
  for (std::size_t i = 0; i < forward_.inputs().size(); ++i) weights.push_back(weight_of(i));
  return weights;
}

std::vector<at::Tensor> GradientReplay::new_weights() const {
  const tensors::ObserverDisabledGuard guard;
  std::vector<at::Tensor> values = weights();
  for (at::Tensor& value : values) value = wide(value, options_.precision);
  return values;
}

/// Returns how far an update with these gradients would move each weight from its value after the program's update;
/// undefined for a weight that the update does not write. `gradients` are multiplied by the loss scale.
std::vector<at::Tensor> GradientReplay::shifts(const std::vector<at::Tensor>& gradients) const {
  std::vector<at::Tensor> of_update;
  for (const std::size_t i : with_gradient_) of_update.push_back(gradients[i]);
  std::vector<at::Tensor> found = tape::written_at(*update_, of_update, weights());
  const std::vector<at::Tensor> own = tape::written_at(*update_, {}, weights());
  for (std::size_t i = 0; i < found.size(); ++i) {
    // A recipe's gradients may overflow. The inf and NaN must not spread to other elements.
    if (found[i].defined()) found[i] = wide(found[i], options_.precision).sub(own[i]).nan_to_num_(0.0, 0.0, 0.0);
  }
  return found;
}

/// Replaces derivatives of the update by chords. Adam's first step depends only on the sign of a gradient, so its
/// derivative does not show the effect of an error. The chord between the program's and the recipe's gradient does, if
/// the update treats all elements alike.
void GradientReplay::take_chords(const std::vector<at::Tensor>& gradients, const std::vector<at::Tensor>& shifts,
                                 const std::vector<at::Tensor>& met, std::vector<at::Tensor>& found) const {
  for (const std::size_t i : with_gradient_) {
    if (!found[i].defined() || !met[i].defined() || !gradients[i].defined() || !shifts[i].defined()) continue;
    if (!tape::does_same_to_each(*update_, update_->source_of(weight_of(i))->slot)) continue;
    const at::Tensor run = gradient_of_run(i), error = gradients[i].sub(run);
    const at::Tensor chord = shifts[i].neg().mul_(met[i]).div_(error);
    found[i] = at::where(error.abs() > run.abs() * kChordThreshold, chord, found[i]);
  }
}

/// For a recipe, takes the mean of the gradients at the new weights and at the weights that an update with the recipe's
/// gradients would write. The mean accounts for the curvature of the loss, so that the error is of third order.
std::vector<at::Tensor> GradientReplay::directions(const std::vector<at::Tensor>& after,
                                                   const std::vector<at::Tensor>& other, std::string& why_not) const {
  why_not = update_->why_not();
  if (!why_not.empty()) return {};
  std::vector<at::Tensor> gradients, moved, met = after;
  std::vector<at::Tensor> found(forward_.inputs().size());
  const bool is_recipe = options_.is_what_if && !other.empty();
  try {
    if (is_recipe) {
      for (const at::Tensor& one : other) gradients.push_back(one.defined() ? one.mul(scale_) : one);
      moved = shifts(gradients);
      std::vector<at::Tensor> ends = new_weights();
      for (std::size_t i = 0; i < ends.size(); ++i) {
        if (moved[i].defined()) ends[i] = ends[i].add(moved[i]);
      }
      met = mean_of(after, tape::gradients_at(forward_, ends, roots_).of_inputs);
    }
    const std::vector<at::Tensor> pulled = tape::pulled_back(*update_, gradients_between(other), weights(), met);
    for (std::size_t k = 0; k < pulled.size(); ++k) {
      if (pulled[k].defined()) found[with_gradient_[k]] = pulled[k].neg();  // the update subtracts from the weights
    }
    if (is_recipe) take_chords(gradients, moved, met, found);
  } catch (const std::exception& error) {
    why_not = reference::reason_of(error);
    return {};
  }
  return found;
}

NamedGradients GradientReplay::find(const std::vector<std::shared_ptr<Finding>>& findings) {
  std::vector<at::Tensor> before;
  for (const tape::Input& input : forward_.inputs()) before.push_back(input.original);
  const tape::Gradients at_new = tape::gradients_at(forward_, new_weights(), roots_);
  NamedGradients exact;
  for (const auto& finding : findings) exact = find_in_run(finding, at_new, before);
  return exact;
}

NamedGradients GradientReplay::find_in_run(const std::shared_ptr<Finding>& finding, const tape::Gradients& at_new,
                                           const std::vector<at::Tensor>& before) {
  const std::size_t run = finding->found.run;
  const tensors::ObserverDisabledGuard guard;
  const std::vector<at::Tensor> other = other_gradients(run, before);
  std::vector<at::Tensor> direction = directions(at_new.of_inputs, other, finding->found.why_ranking_only);
  if (!finding->found.why_ranking_only.empty()) {
    direction = at_new.of_inputs;
  } else if (options_.through_functions) {
    finding->found.why_ranking_only =
        "gradients pass through a custom autograd function, whose backward may not be its derivative";
  }
  const auto meet = [&](tape::OutputIndex place, const at::Tensor& tangent) {
    const tensors::ObserverDisabledGuard below_tangents;
    errors_.tangent_of(run, place, tangent, *numbers_);
  };
  const at::Tensor old_value = tape::tangents_at(forward_, before, direction, roots_, meet);
  numbers_->ask({old_value, at_new.value}, [finding, segment = segment_](std::span<const double> losses) {
    const StepDecrease decrease{.segment = segment, .before = losses[0], .after = losses[1]};
    if (std::isfinite(decrease.decrease())) finding->found.decrease = decrease;
  });
  for (std::size_t i = 0; i < direction.size(); ++i) {
    if (direction[i].defined()) errors_.tangent_of_input(run, i, direction[i], *numbers_);
  }
  finding->is_found = true;
  if (options_.is_what_if) return {};
  ask_for_forward_errors(finding, direction, other);
  return compare_gradients(beside(other), 1.0, segment_, before_, *numbers_,
                           [finding](const GradientError& row) { finding->found.errors.push_back(row); });
}

StepGradients GradientReplay::rows_of(Finding& finding) {
  StepGradients found = std::move(finding.found);
  if (finding.is_found) found.impacts = errors_.take(found.run, segment_);
  if (finding.of_gradients) found.impacts.push_back(forward_errors(found.impacts, *finding.of_gradients));
  for (GradientImpact& impact : found.impacts) impact.is_ranking_only = !found.why_ranking_only.empty();
  if (comparison_with_shadow_ && found.errors.empty()) found.errors = *comparison_with_shadow_;
  found.are_of_many_ranks = is_of_many_ranks_ && !found.errors.empty();
  if (found.are_of_many_ranks) found.errors.clear();
  return found;
}

/// Returns the program's gradient of an input, multiplied by the loss scale.
at::Tensor GradientReplay::gradient_of_run(std::size_t input) const {
  const auto k = std::ranges::find(with_gradient_, input);
  if (k == with_gradient_.end()) return {};
  const tape::Input& gradient = update_->inputs()[static_cast<std::size_t>(k - with_gradient_.begin())];
  const at::Tensor& tensor = gradient.tensor;
  return gradient.original.as_strided(tensor.sizes(), tensor.strides(), tensor.storage_offset());
}

/// Requests the impact of the total error of the gradients: the inner product of that error with the direction.
void GradientReplay::ask_for_forward_errors(const std::shared_ptr<Finding>& finding,
                                            const std::vector<at::Tensor>& direction,
                                            const std::vector<at::Tensor>& exact) const {
  finding->of_gradients = 0.0;
  for (std::size_t i = 0; i < direction.size(); ++i) {
    const at::Tensor run = gradient_of_run(i);
    if (!direction[i].defined() || !run.defined() || !exact[i].defined()) continue;
    numbers_->ask({impact::sum_of_products(direction[i], run.sub(exact[i], scale_))},
                  [finding](std::span<const double> found) { *finding->of_gradients += found[0]; });
  }
}

/// Returns the row of forward errors: the impact of the gradients' total error minus the impacts of backward calls.
GradientImpact GradientReplay::forward_errors(const std::vector<GradientImpact>& of_calls, double of_gradients) const {
  GradientImpact row{.segment = segment_, .source = GradientImpactSource::ForwardErrors, .impact = of_gradients};
  for (const GradientImpact& impact : of_calls) {
    *row.impact -= impact.impact.value_or(0.0);
    row.no_cotangents += impact.no_cotangents;
  }
  if (!std::isfinite(*row.impact)) row.impact.reset(), row.gap = GradientImpactGap::ErrorNotFinite;
  return row;
}

std::vector<GradientPair> GradientReplay::beside(const std::vector<at::Tensor>& exact) const {
  std::vector<GradientPair> pairs;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const at::Tensor scaled = gradient_of_run(i);
    const std::string name = parameters_.name_of(forward_.inputs()[i].tensor);
    if (!scaled.defined() || !exact[i].defined() || name.empty()) continue;
    pairs.push_back({name, scale_ == 1.0 ? scaled : scaled.div(scale_), exact[i]});
  }
  return pairs;
}

}  // namespace ampprof::profiler
