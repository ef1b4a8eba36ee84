// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace torch::optim {
class Optimizer;
}

namespace amp {

/// A half parameter of the model and the FP32 copy that the optimizer updates in its place.
struct MasterPair {
  at::Tensor model;
  at::Tensor master;
  std::int64_t model_version = 0;  ///< of the model's parameter when both were last alike
};

/// Masters and flags that the engine keeps for one optimizer.
struct OptimizerState {
  torch::optim::Optimizer* optimizer = nullptr;
  std::vector<MasterPair> masters;
  std::unordered_map<const c10::TensorImpl*, at::Tensor> model_of_master;
  /// Gradients of earlier passes, set aside while a backward pass makes new ones; by parameter.
  std::unordered_map<const c10::TensorImpl*, at::Tensor> stash;
  std::vector<at::Tensor> parameters_at_start;  ///< to tell it from a later optimizer at the same address
  bool is_in_pass = false;                      ///< between the halves of a ScaleLossCall
  bool holds_scaled_gradients = false;          ///< after a pass that delayed unscaling
  double held_scale = 1.0;                      ///< by which they are scaled
  std::optional<int> overflowed_loss;           ///< the next step is skipped, and this loss is why
  at::Tensor found_inf;                         ///< the next step skips where this is not zero (OpenCheck)
  bool is_told_to_skip = false;                 ///< listeners know already that it is not

  /// The half parameter behind a master, or nullptr where the optimizer updates the model's parameter itself.
  const at::Tensor* model_of(const at::Tensor& parameter) const;
};

/// FP32 tensors that parameters had before their model was cast, by parameter.
using Originals = std::unordered_map<const c10::TensorImpl*, at::Tensor>;

/// Gives each FP16 or BF16 parameter of the optimizer that requires a gradient an FP32 master: in its parameter groups,
/// with its state. A master is the parameter as it was before the cast, where that is known. (In Apex it is the rounded
/// one.) Parameters that have one already are left alone, so this also takes up groups that were added later.
void make_masters(OptimizerState& state, const Originals& originals = {});

/// Copies the masters' values to the model.
void copy_masters_to_model(OptimizerState& state);

/// Gives masters the values of parameters that the program has written since. A parameter that is its master rounded is
/// left alone: a checkpoint was loaded into both. Writes that leave no version, as through `data()`, are not seen.
void take_written_parameters(OptimizerState& state);

/// Forgets the masters' gradients.
void drop_master_gradients(const OptimizerState& state);

}  // namespace amp
