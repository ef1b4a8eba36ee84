// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/optim/optimizer.h>

#include <optional>
#include <vector>

namespace amp {

/// The parameters of one group, device and type that have a gradient, ready for multi-tensor kernels.
///
/// Half and BF16 parameters are updated in FP32 copies with FP32 state, as in Apex: LibTorch's kernels would round
/// epsilon 1e-8 to zero in half. Every list has the length of `parameters`. Tensors at the same index have the same
/// strides, since fused kernels pair elements by their position in memory.
struct Bucket {
  using State = torch::optim::OptimizerParamState;

  std::vector<at::Tensor> parameters;  ///< to update in place, FP32 or FP64
  /// `grad()` of each parameter, or a copy if its type or layout differs. Only unscale() changes the values.
  std::vector<at::Tensor> gradients;
  std::vector<State*> states;
  std::optional<at::Tensor> found_inf;   ///< one FP32 element, 0 or 1: if 1, the step changes nothing
  std::optional<at::Tensor> grad_scale;  ///< one FP32 element by which gradients must still be divided
  std::vector<at::Tensor> originals;     ///< if `parameters` are copies: the tensors they were copied from; else empty

  at::TensorOptions scalar_options() const { return at::TensorOptions(parameters.front().device()).dtype(at::kFloat); }

  /// Returns the tensor that the accessor `tensor` has in each state. If a parameter's strides have changed, gives the
  /// tensor of its state the same strides first.
  template <class ParamState>
  std::vector<at::Tensor> tensors(at::Tensor& (ParamState::*tensor)()) {
    std::vector<at::Tensor> list;
    list.reserve(states.size());
    for (std::size_t i = 0; i < states.size(); ++i) {
      at::Tensor& value = (static_cast<ParamState*>(states[i])->*tensor)();
      if (value.dim() != 0) lay_out_like(parameters[i], value);
      list.push_back(value);
    }
    return list;
  }

  /// Increments the step counts of the states in place, unless the step is skipped.
  void count_step(at::TensorList steps) const;

  /// Divides the gradients by `grad_scale`, for optimizers that need the unscaled values.
  void unscale();

  /// Copies the updated values to `originals`.
  void finish() const;

  static void lay_out_like(const at::Tensor& model, at::Tensor& tensor);
};

/// Settings of one step(), from skip_if() and unscale_by().
struct StepFlags {
  at::Tensor found_inf = {};
  at::Tensor grad_scale = {};
};

/// Sorts a group's parameters into buckets. Leaves out parameters without gradient or elements. The buckets have no
/// states yet. Throws Error for sparse gradients and for types that are not floating.
std::vector<Bucket> buckets_of(const std::vector<at::Tensor>& parameters, const StepFlags& flags);

}  // namespace amp
