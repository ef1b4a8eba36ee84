// SPDX-License-Identifier: Apache-2.0
#include "amp_core/engine/gradients.h"

#include <ATen/Functions.h>
#include <torch/optim/optimizer.h>
#include <torch/utils.h>

#include <cmath>
#include <sstream>
#include <unordered_set>

#include "amp_core/casts/module_path.h"
#include "amp_core/levels/properties.h"
#include "amp_core/multi_tensor/flat_copy.h"
#include "amp_core/multi_tensor/tensor_groups.h"

namespace amp {
namespace {

template <class Visit>
void for_each_parameter(const OptimizerState& state, Visit&& visit) {
  for (const auto& group : state.optimizer->param_groups()) {
    for (const at::Tensor& parameter : group.params()) visit(parameter);
  }
}

/// Copies the half gradients of parameters with masters to FP32, the dense ones into one buffer per device and type.
/// Adds up values at equal indices of a sparse gradient in FP32.
void widen_masters_gradients(std::vector<PassGradient>& gradients) {
  std::vector<std::size_t> places;
  std::vector<at::Tensor> scaled;
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    if (gradients[i].updated.is_same(gradients[i].parameter)) continue;
    if (gradients[i].scaled.is_sparse()) {
      gradients[i].unscaled = gradients[i].scaled.to(at::kFloat).coalesce();
      continue;
    }
    places.push_back(i);
    scaled.push_back(gradients[i].scaled);
  }
  for (const TensorGroup& group : group_by_device_and_type(scaled)) {
    const FlatCopy copy = flat_copy(group.tensors, at::kFloat);
    for (std::size_t i = 0; i < group.indices.size(); ++i) {
      PassGradient& gradient = gradients[places[group.indices[i]]];
      gradient.unscaled = copy.tensors[i];
      gradient.flat_buffer = copy.buffer;
    }
  }
}

/// Returns the tensors to unscale. A flat buffer is included once, instead of the gradients in it.
std::vector<at::Tensor> tensors_to_unscale(const std::vector<PassGradient>& gradients) {
  std::vector<at::Tensor> tensors;
  std::unordered_set<const c10::TensorImpl*> seen;
  for (const PassGradient& gradient : gradients) {
    const at::Tensor& tensor = gradient.flat_buffer.defined() ? gradient.flat_buffer : gradient.unscaled;
    if (seen.insert(tensor.unsafeGetTensorImpl()).second) tensors.push_back(values_of(tensor));
  }
  return tensors;
}

/// Collects sums of gradients, and computes the dense ones together in finish().
class Additions {
 public:
  /// Adds `term` to `sum`, now or in finish().
  void add(at::Tensor& sum, const at::Tensor& term) {
    if (!sum.defined()) {
      sum = term;
      return;
    }
    if (sum.is_sparse() || term.is_sparse()) {
      sum = sum.is_sparse() && !term.is_sparse() ? term + sum : sum.add_(term);  // LibTorch adds sparse only to dense
      return;
    }
    sums_.push_back(sum);
    terms_.push_back(term);
  }

  void finish() const {
    for (const TensorGroup& group : group_by_device_and_type(sums_)) {
      at::_foreach_add_(group.tensors, picked(terms_, group.indices));
    }
  }

 private:
  std::vector<at::Tensor> sums_;
  std::vector<at::Tensor> terms_;
};

}  // namespace

at::Tensor values_of(const at::Tensor& gradient) { return gradient.is_sparse() ? gradient._values() : gradient; }

bool has_supported_layout(const at::Tensor& gradient) {
  return gradient.layout() == at::kStrided || gradient.layout() == at::kSparse;
}

void check_layouts(const OptimizerState& state) {
  for_each_parameter(state, [&](const at::Tensor& parameter) {
    const at::Tensor* model = state.model_of(parameter);
    const at::Tensor& made_for = model != nullptr ? *model : parameter;
    const at::Tensor& gradient = made_for.grad();
    if (!gradient.defined() || has_supported_layout(gradient)) return;
    const std::string name = parameter_name(made_for);
    std::ostringstream layout;
    layout << gradient.layout();
    throw Error("amp::scale_loss cannot unscale the gradient of " + (name.empty() ? "a parameter" : name) +
                ", whose layout is " + layout.str() +
                ". It works on dense and SparseCOO gradients only: change the gradient's layout in a hook of the "
                "parameter, or keep the parameter out of amp.");
  });
}

void stash_gradients(OptimizerState& state) {
  for_each_parameter(state, [&](const at::Tensor& parameter) {
    if (const at::Tensor* model = state.model_of(parameter)) {
      model->mutable_grad() = at::Tensor();  // already added to the master's gradient, in FP32
      return;
    }
    at::Tensor& gradient = parameter.mutable_grad();
    if (gradient.defined()) state.stash[parameter.unsafeGetTensorImpl()] = std::move(gradient);
    gradient = at::Tensor();
  });
}

void restore_gradients(OptimizerState& state) {
  for_each_parameter(state, [&](const at::Tensor& parameter) {
    if (const at::Tensor* model = state.model_of(parameter)) {
      model->mutable_grad() = at::Tensor();
      return;
    }
    const auto stashed = state.stash.find(parameter.unsafeGetTensorImpl());
    parameter.mutable_grad() = stashed == state.stash.end() ? at::Tensor() : stashed->second;
  });
  state.stash.clear();
  state.holds_scaled_gradients = false;
}

std::vector<PassGradient> gradients_of_pass(const OptimizerState& state) {
  std::vector<PassGradient> gradients;
  for_each_parameter(state, [&](const at::Tensor& parameter) {
    const at::Tensor* model = state.model_of(parameter);
    const at::Tensor& made_for = model != nullptr ? *model : parameter;
    const at::Tensor& made = made_for.grad();
    if (!made.defined() || !has_supported_layout(made)) return;
    const at::Tensor scaled = made.is_sparse() && model == nullptr ? made.coalesce() : made;
    gradients.push_back({made_for, parameter, scaled, scaled, {}});
  });
  widen_masters_gradients(gradients);
  return gradients;
}

void rescale_gradients(const OptimizerState& state, double factor) {
  const torch::NoGradGuard no_grad;
  for_each_parameter(state, [&](const at::Tensor& parameter) {
    const at::Tensor* model = state.model_of(parameter);
    const at::Tensor& gradient = (model != nullptr ? *model : parameter).grad();
    if (gradient.defined()) values_of(gradient).mul_(factor);
  });
}

OverflowFlag nonfinite_among(const std::vector<PassGradient>& gradients) {
  std::vector<at::Tensor> values;
  for (const PassGradient& gradient : gradients) {
    at::Tensor of_gradient = values_of(gradient.scaled);
    if (of_gradient.numel() != 0) values.push_back(std::move(of_gradient));
  }
  OverflowFlag flag;
  for (const TensorGroup& group : group_by_device_and_type(values)) {
    const at::Tensor largest = at::stack(at::_foreach_norm(group.tensors, INFINITY));  // NaN if any element is NaN
    flag.on(group.device()).add_(largest.isfinite().logical_not().any());
  }
  return flag;
}

OverflowFlag unscale(std::vector<PassGradient>& gradients, double scale) {
  const torch::NoGradGuard no_grad;
  OverflowFlag flag;
  for (const TensorGroup& group : group_by_device_and_type(tensors_to_unscale(gradients))) {
    at::Tensor& found = flag.on(group.device());
    at::_amp_foreach_non_finite_check_and_unscale_(group.tensors, found, at::full({1}, 1.0 / scale, found.options()));
  }
  return flag;
}

void merge_gradients(OptimizerState& state, const std::vector<PassGradient>& gradients) {
  const torch::NoGradGuard no_grad;
  Additions additions;
  for (const PassGradient& gradient : gradients) {
    at::Tensor& kept = gradient.updated.mutable_grad();
    if (gradient.updated.is_same(gradient.parameter)) {
      kept = gradient.unscaled;
    } else {
      additions.add(kept, gradient.unscaled);
    }
  }
  for_each_parameter(state, [&](const at::Tensor& parameter) {
    const auto stashed = state.stash.find(parameter.unsafeGetTensorImpl());
    if (stashed != state.stash.end()) additions.add(parameter.mutable_grad(), stashed->second);
  });
  additions.finish();
  state.stash.clear();
}

void drop_gradients(OptimizerState& state) {
  for_each_parameter(state, [](const at::Tensor& parameter) { parameter.mutable_grad() = at::Tensor(); });
  state.stash.clear();
}

}  // namespace amp
