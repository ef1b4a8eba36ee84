// SPDX-License-Identifier: Apache-2.0
#include "profiler/gradient_impact/taped_step.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <set>
#include <utility>

#include "precision/impact/difference.h"
#include "precision/reference/arguments.h"
#include "precision/tensors/observer_disabled_guard.h"
#include "precision/tensors/plain_memory.h"
#include "profiler/faults/guarded.h"
#include "profiler/torch_hooks/backward_pass.h"
#include "profiler/torch_hooks/torch_state.h"

namespace ampprof::profiler {
namespace {

/// Runs `work` on a tape, which ends where it throws.
template <typename Work>
void on_tape(tape::Tape& tape, Work&& work) {
  try {
    work();
  } catch (const std::exception& error) {
    tape.give_up(message_of(error));
  }
}

at::Tensor wide(const at::Tensor& tensor, at::ScalarType precision) {
  return reference::is_below(tensor.scalar_type(), precision) ? tensor.to(precision) : tensor.detach();
}

double sum_of_squares(const at::Tensor& tensor) { return std::pow(tensor.norm().item<double>(), 2); }

}  // namespace

/// Tapes what gradients flow through, and watches the nodes that it makes; after a backward pass also what comes
/// between gradients and weights.
class TapedStep::Taper final : public LeafTaper {
 public:
  explicit Taper(TapedStep& step) : step_(step) {}

  std::optional<tape::TapedCall> prepare(const c10::OperatorHandle& op, const torch::jit::Stack& stack) override {
    const std::lock_guard lock(step_.mutex_);
    std::optional<tape::TapedCall> prepared;
    if (step_.update_) on_tape(*step_.update_, [&] { prepared = step_.update_->prepare(op, stack); });
    if (prepared || !c10::GradMode::is_enabled()) return prepared;
    const std::size_t known = step_.forward_.inputs().size();
    on_tape(step_.forward_, [&] { prepared = step_.forward_.prepare(op, stack); });
    if (prepared) prepared->first_node = next_sequence_number();
    for (std::size_t i = known; i < step_.forward_.inputs().size(); ++i) {
      step_.errors_.met_leaf(step_.forward_.inputs()[i].tensor.unsafeGetTensorImpl(), i);
    }
    return prepared;
  }

  void add(tape::TapedCall prepared, c10::ArrayRef<c10::IValue> returned) override {
    const std::lock_guard lock(step_.mutex_);
    if (prepared.tape != &step_.forward_) {
      if (step_.update_) on_tape(*step_.update_, [&] { step_.update_->add(std::move(prepared), returned); });
      return;
    }
    on_tape(step_.forward_, [&] {
      const std::size_t call = step_.forward_.add(std::move(prepared), returned);
      watch_nodes(call, reference::tensors_in(returned));
    });
  }

 private:
  void watch_nodes(std::size_t call, const std::vector<at::Tensor>& results) {
    std::set<const void*> nodes;
    for (std::size_t k = 0; k < results.size(); ++k) {
      if (!results[k].defined()) continue;
      step_.errors_.made(results[k], {call, k});
      for (const void* node : nodes_behind(results[k], step_.forward_.calls()[call].first_node)) nodes.insert(node);
    }
    for (const void* node : nodes) {
      step_.errors_.watches(node);
      when_node_ends(node, [weak = step_.weak_from_this()](const void* ended, const auto& outputs) {
        guarded(FaultPlace::MeetGradient, [&] {
          if (const auto step = weak.lock()) step->errors_.node_ended(ended, outputs);
        });
      });
    }
  }

  TapedStep& step_;
};

TapedStep::TapedStep(std::int64_t substep, const TapeOptions& options, KnownParameters parameters)
    : substep_(substep),
      options_(options),
      parameters_(std::move(parameters)),
      forward_(options.precision, tape::Identity::Tensor, parameters_.master_of),
      taper_(std::make_unique<Taper>(*this)),
      errors_(options.error_bytes) {}

TapedStep::~TapedStep() = default;

LeafTaper* TapedStep::taper() {
  const std::lock_guard lock(mutex_);
  const bool is_of_use = c10::GradMode::is_enabled() || update_;
  return is_of_use && !in_backward_ ? taper_.get() : nullptr;
}

void TapedStep::backward_begun(const std::vector<BackwardRoot>& roots, double scale) {
  const std::lock_guard lock(mutex_);
  in_backward_ = true;
  if (update_ && !update_->calls().empty()) forward_.give_up("gradients were changed between two backward passes");
  if (!roots_.empty() && scale != scale_) forward_.give_up("losses of one step have several loss scales");
  scale_ = scale;
  update_.reset();
  for (const BackwardRoot& root : roots) {
    const auto place = errors_.made_at({.node = root.node, .output = root.output});
    if (!place) return forward_.give_up("a loss was made by no op of this step");
    roots_.push_back({forward_.calls()[place->call].results[place->output].slot, 1.0 / scale});
  }
}

void TapedStep::backward_call(const void* node, std::int64_t call_site, const at::Tensor& output,
                              const at::Tensor& error, c10::ArrayRef<c10::IValue> arguments) {
  errors_.add(node, call_site, output, error, arguments);
}

void TapedStep::backward_ended() {
  const std::lock_guard lock(mutex_);
  in_backward_ = false;
  CotangentErrors::pass_ended();
  if (roots_.empty() || !forward_.why_not().empty() || !errors_.any()) return;
  update_.emplace(options_.precision, tape::Identity::Memory);
  with_gradient_.clear();
  for (std::size_t i = 0; i < forward_.inputs().size(); ++i) {
    const at::Tensor gradient = forward_.inputs()[i].tensor.grad();
    if (!gradient.defined()) continue;
    if (!tensors::has_plain_memory(gradient)) return forward_.give_up("a gradient has no memory of its own");
    on_tape(*update_, [&] { update_->add_input(gradient); });
    with_gradient_.push_back(i);
  }
}

bool TapedStep::is_written(std::size_t input) const { return update_->source_of(weight_of(input)).has_value(); }

bool TapedStep::is_updated() const {
  const std::lock_guard lock(mutex_);
  if (!update_ || update_->calls().empty()) return false;
  return std::ranges::all_of(with_gradient_, [&](std::size_t i) { return is_written(i); });
}

at::Tensor TapedStep::weight_of(std::size_t input) const {
  const at::Tensor& parameter = forward_.inputs()[input].tensor;
  const at::Tensor master = parameters_.master_of ? parameters_.master_of(parameter) : at::Tensor();
  return master.defined() ? master : parameter;
}

std::string TapedStep::why_not() const {
  if (!errors_.any()) return "";  // nothing was rounded
  return forward_.why_not_now();
}

StepGradients TapedStep::finish(GradientsBefore& gradients_before) {
  const std::lock_guard lock(mutex_);
  StepGradients found;
  if (!roots_.empty() || !forward_.why_not().empty()) found.why_not = why_not();
  const bool was_skipped =
      !update_ || std::ranges::none_of(with_gradient_, [&](std::size_t i) { return is_written(i); });
  try {
    if (found.why_not.empty() && !was_skipped) find(found, gradients_before);
  } catch (const std::exception& error) {
    found = {.why_not = message_of(error)};
  }
  update_.reset();
  return found;
}

std::vector<at::Tensor> TapedStep::directions(const std::vector<at::Tensor>& after, std::string& why_not) const {
  why_not = update_->why_not();
  if (!why_not.empty()) return {};
  std::vector<at::Tensor> weights, cotangents;
  for (std::size_t i = 0; i < forward_.inputs().size(); ++i) {
    weights.push_back(weight_of(i));
    cotangents.push_back(after[i]);
  }
  std::vector<at::Tensor> found(forward_.inputs().size());
  std::vector<at::Tensor> pulled;
  try {
    pulled = tape::pulled_back(*update_, weights, cotangents);
  } catch (const std::exception& error) {
    why_not = message_of(error);
    return {};
  }
  for (std::size_t k = 0; k < pulled.size(); ++k) {
    if (pulled[k].defined()) found[with_gradient_[k]] = pulled[k].neg_();  // of what is taken off the weights
  }
  return found;
}

void TapedStep::find(StepGradients& found, GradientsBefore& gradients_before) {
  std::vector<at::Tensor> before, after;
  for (std::size_t i = 0; i < forward_.inputs().size(); ++i) {
    const tensors::ObserverDisabledGuard guard;
    before.push_back(forward_.inputs()[i].original);
    after.push_back(wide(weight_of(i), options_.precision));
  }
  const tape::Gradients at_new = tape::gradients_at(forward_, after, roots_);
  const tape::Gradients at_old = tape::gradients_at(forward_, before, roots_);
  found.decrease = StepDecrease{.substep = substep_, .before = at_old.value, .after = at_new.value};
  const tensors::ObserverDisabledGuard guard;
  std::vector<at::Tensor> direction = directions(at_new.of_inputs, found.why_ranking_only);
  const bool is_ranking_only = !found.why_ranking_only.empty();
  if (is_ranking_only) direction = at_new.of_inputs;
  tape::tangents_at(forward_, before, direction, [&](tape::Place place, const at::Tensor& tangent) {
    const tensors::ObserverDisabledGuard below_tangents;
    errors_.tangent_of(place, tangent);
  });
  for (std::size_t i = 0; i < direction.size(); ++i) {
    if (direction[i].defined()) errors_.tangent_of_input(i, direction[i]);
  }
  found.impacts = errors_.take(substep_);
  if (!options_.is_what_if) add_forward_errors(found, direction, at_old.of_inputs);
  for (GradientImpact& impact : found.impacts) impact.is_ranking_only = is_ranking_only;
  if (!options_.is_what_if) add_errors_of_parameters(found, at_old.of_inputs, gradients_before);
}

/// The gradient of an input as the run made it, times the loss scale.
at::Tensor TapedStep::gradient_of_run(std::size_t input) const {
  const auto k = std::ranges::find(with_gradient_, input);
  if (k == with_gradient_.end()) return {};
  const tape::Input& gradient = update_->inputs()[static_cast<std::size_t>(k - with_gradient_.begin())];
  const at::Tensor& tensor = gradient.tensor;
  return gradient.original.as_strided(tensor.sizes(), tensor.strides(), tensor.storage_offset());
}

/// What the gradients are off by along the direction, less what backward calls have added to that.
void TapedStep::add_forward_errors(StepGradients& found, const std::vector<at::Tensor>& direction,
                                   const std::vector<at::Tensor>& exact) const {
  double total = 0.0;
  for (std::size_t i = 0; i < direction.size(); ++i) {
    const at::Tensor run = gradient_of_run(i);
    if (!direction[i].defined() || !run.defined() || !exact[i].defined()) continue;
    total += impact::inner_product(direction[i], run.sub(exact[i], scale_));
  }
  GradientImpact row{.substep = substep_, .source = GradientImpactSource::ForwardErrors};
  for (const GradientImpact& impact : found.impacts) {
    total -= impact.impact.value_or(0.0);
    row.no_cotangents += impact.no_cotangents;
  }
  row.impact = total;
  if (!std::isfinite(total)) row.impact.reset(), row.gap = GradientImpactGap::ErrorNotFinite;
  found.impacts.push_back(row);
}

void TapedStep::add_errors_of_parameters(StepGradients& found, const std::vector<at::Tensor>& exact,
                                         GradientsBefore& gradients_before) const {
  GradientsBefore now;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const at::Tensor scaled = gradient_of_run(i);
    const std::string name = parameters_.name_of(forward_.inputs()[i].tensor);
    if (!scaled.defined() || !exact[i].defined() || name.empty()) continue;
    const at::Tensor run = scaled.div(scale_);
    GradientError& row = found.errors.emplace_back(GradientError{.substep = substep_, .parameter = name});
    row.elements = run.numel();
    row.flushed = run.eq(0).logical_and_(exact[i].ne(0)).sum().item<std::int64_t>();
    row.sum_sq_error = sum_of_squares(run.sub(exact[i]));
    row.sum_sq_reference = sum_of_squares(exact[i]);
    row.sum_sq_run = sum_of_squares(run);
    row.product = (row.sum_sq_run + row.sum_sq_reference - row.sum_sq_error) / 2.0;
    const auto known = gradients_before.find(name);
    if (known != gradients_before.end()) row.sum_sq_change = sum_of_squares(exact[i].sub(known->second));
    now.insert_or_assign(name, exact[i].to(at::kBFloat16));
  }
  gradients_before = std::move(now);
}

}  // namespace ampprof::profiler
