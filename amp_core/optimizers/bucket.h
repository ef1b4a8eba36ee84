// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/optim/optimizer.h>

#include <optional>
#include <vector>

namespace amp {

/// The parameters of one group, device and type that have a gradient, ready for kernels that take many tensors.
///
/// Half and BF16 parameters are updated in FP32 copies, and their state is FP32, as in Apex: LibTorch's kernels would
/// round epsilon 1e-8 to zero in half. Every list has the length of `parameters`, and tensors of one place have the
/// same strides, since fused kernels pair elements by their position in memory.
struct Bucket {
  using State = torch::optim::OptimizerParamState;

  std::vector<at::Tensor> parameters;  ///< to update in place, FP32 or FP64
  std::vector<at::Tensor> gradients;   ///< the parameters' own where these are; change no value but by unscaling
  std::vector<State*> states;
  std::optional<at::Tensor> found_inf;   ///< one FP32 element, 0 or 1: 1 leaves all as it is
  std::optional<at::Tensor> grad_scale;  ///< one FP32 element that gradients are still to be divided by
  std::vector<at::Tensor> originals;     ///< of `parameters` that are copies; empty if they are not

  at::TensorOptions scalar_options() const { return at::TensorOptions(parameters.front().device()).dtype(at::kFloat); }

  /// A tensor of each state, of type `ParamState`; laid out anew where the parameter's strides have changed since.
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

  /// The step counts, which are the states' own tensors, one higher; not where the step is called off.
  void count_step(at::TensorList steps) const;

  /// Divides the gradients by `grad_scale`, for those who need their values.
  void unscale();

  /// Gives copies' values back to the originals.
  void finish() const;

  static void lay_out_like(const at::Tensor& model, at::Tensor& tensor);
};

/// Settings of one step, as step() was told.
struct StepFlags {
  at::Tensor found_inf = {};
  at::Tensor grad_scale = {};
};

/// Sorts a group's parameters into buckets; those without gradient or elements are left out. `state_of` gives a
/// parameter's state, made for the tensor that is updated. Throws Error for sparse gradients and for types that are not
/// floating.
std::vector<Bucket> buckets_of(const std::vector<at::Tensor>& parameters, const StepFlags& flags);

}  // namespace amp
