// SPDX-License-Identifier: Apache-2.0
#include "amp_core/multi_tensor/multi_tensor.h"

#include <ATen/Functions.h>
#include <torch/utils.h>

#include <algorithm>
#include <string>

#include "amp_core/levels/properties.h"
#include "amp_core/multi_tensor/flat_copy.h"
#include "amp_core/multi_tensor/tensor_groups.h"

namespace amp::multi_tensor {
namespace {

void check_lists(const char* caller, at::TensorList a, at::TensorList b) {
  const auto same_sizes = [](const at::Tensor& x, const at::Tensor& y) { return x.sizes() == y.sizes(); };
  if (std::equal(a.begin(), a.end(), b.begin(), b.end(), same_sizes)) return;
  throw Error(std::string("multi_tensor::") + caller + " got lists whose lengths or tensor sizes differ.");
}

void check_dense(const char* caller, at::TensorList tensors) {
  if (std::all_of(tensors.begin(), tensors.end(), [](const at::Tensor& x) { return x.layout() == at::kStrided; })) {
    return;
  }
  throw Error(std::string("multi_tensor::") + caller +
              " got a sparse tensor. It works on dense tensors: pass the values of the coalesced tensor.");
}

at::ScalarType computed_in(at::ScalarType type) { return type == at::kDouble ? at::kDouble : at::kFloat; }

/// Sets `found_inf` if a value is not finite, and then multiplies by `factor`.
void check_and_scale(const FlatCopy& copy, double factor, const at::Tensor& found_inf) {
  const at::Tensor on_device = found_inf.to(copy.buffer.device(), at::kFloat);
  if (copy.buffer.scalar_type() == at::kFloat) {
    at::_amp_foreach_non_finite_check_and_unscale_({copy.buffer}, const_cast<at::Tensor&>(on_device),
                                                   at::full({}, factor, on_device.options()));
  } else {
    on_device.logical_or_(at::isfinite(copy.buffer).all().logical_not());
    copy.buffer.mul_(factor);  // not _amp_foreach_…, which would round the factor to FP32
  }
  if (!on_device.is_same(found_inf)) found_inf.logical_or_(on_device.to(found_inf.device()));
}

/// Returns factor * tensors in the type in which operations compute (FP32, or FP64 for FP64 tensors).
FlatCopy scaled(at::TensorList tensors, double factor, const at::Tensor& found_inf, bool is_checked) {
  FlatCopy copy = flat_copy(tensors, computed_in(tensors.front().scalar_type()));
  if (is_checked) {
    check_and_scale(copy, factor, found_inf);
  } else {
    copy.buffer.mul_(factor);
  }
  return copy;
}

}  // namespace

void scale(at::TensorList in, at::TensorList out, double factor, const at::Tensor& found_inf) {
  const torch::NoGradGuard no_grad;
  check_lists("scale", in, out);
  check_dense("scale", in);
  check_dense("scale", out);
  for (const TensorGroup& group : group_by_device_and_type(in)) {
    const FlatCopy product = scaled(group.tensors, factor, found_inf, /*is_checked=*/true);
    at::_foreach_copy_(picked(out, group.indices), product.tensors);
  }
}

void axpby(double a, at::TensorList x, double b, at::TensorList y, at::TensorList out, const at::Tensor& found_inf,
           Checked checked) {
  const torch::NoGradGuard no_grad;
  check_lists("axpby", x, y);
  check_lists("axpby", x, out);
  for (const at::TensorList list : {x, y, out}) check_dense("axpby", list);
  std::vector<at::Tensor> sums(x.size());
  for (const TensorGroup& group : group_by_device_and_type(x)) {
    const FlatCopy product = scaled(group.tensors, a, found_inf, checked != Checked::Y);
    for (std::size_t i = 0; i < group.indices.size(); ++i) sums[group.indices[i]] = product.tensors[i];
  }
  for (const TensorGroup& group : group_by_device_and_type(y)) {
    const FlatCopy product = scaled(group.tensors, b, found_inf, checked != Checked::X);
    at::_foreach_add_(picked(sums, group.indices), product.tensors);
  }
  for (const TensorGroup& group : group_by_device_and_type(out)) {
    at::_foreach_copy_(group.tensors, picked(sums, group.indices));
  }
}

Norms l2norm(at::TensorList tensors) {
  const torch::NoGradGuard no_grad;
  if (tensors.empty()) throw Error("multi_tensor::l2norm got no tensors.");
  check_dense("l2norm", tensors);
  const auto is_double = [](const at::Tensor& tensor) { return tensor.scalar_type() == at::kDouble; };
  const auto type = std::all_of(tensors.begin(), tensors.end(), is_double) ? at::kDouble : at::kFloat;
  std::vector<at::Tensor> norms(tensors.size());
  for (const TensorGroup& group : group_by_device_and_type(tensors)) {
    const auto of_group = at::_foreach_norm(group.tensors, 2, computed_in(group.type()));
    for (std::size_t i = 0; i < of_group.size(); ++i) {
      norms[group.indices[i]] = of_group[i].to(at::TensorOptions(tensors.front().device()).dtype(type));
    }
  }
  const at::Tensor per_tensor = at::stack(norms);
  return {at::linalg_vector_norm(per_tensor), per_tensor};
}

Norms unscale_l2norm(at::TensorList tensors, const at::Tensor& inverse_scale) {
  const torch::NoGradGuard no_grad;
  const Norms scaled = l2norm(tensors);
  const at::Tensor factor = inverse_scale.to(scaled.global.device()).abs().squeeze();
  return {scaled.global * factor, scaled.per_tensor * factor};
}

void update_scale_hysteresis(HysteresisScale& state, const at::Tensor& found_inf, const HysteresisRule& rule) {
  const torch::NoGradGuard no_grad;
  const at::Tensor overflowed = found_inf.ne(0);
  const at::Tensor left = state.overflows_left - overflowed.to(state.overflows_left.scalar_type());
  const at::Tensor falls = overflowed.logical_and(left.le(0));
  const at::Tensor clean_passes = state.clean_passes + 1;
  const at::Tensor is_due = overflowed.logical_not().logical_and(clean_passes.eq(rule.growth_interval));
  const at::Tensor grown = state.scale * rule.growth;
  const at::Tensor if_clean = at::where(is_due.logical_and(at::isfinite(grown)), grown, state.scale);
  state.scale.copy_(at::where(falls, state.scale * rule.backoff, if_clean));
  state.clean_passes.copy_(clean_passes * overflowed.logical_or(is_due).logical_not());
  state.overflows_left.copy_(at::where(overflowed, left, at::full_like(left, rule.hysteresis)));
}

}  // namespace amp::multi_tensor
