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

/// A half parameter of the model and the FP32 copy that the optimizer updates instead.
struct MasterPair {
  at::Tensor model;
  at::Tensor master;
  std::int64_t model_version = 0;  ///< version of `model` when model and master last had equal values
};

/// Masters and flags that the engine keeps for one optimizer.
struct OptimizerState {
  torch::optim::Optimizer* optimizer = nullptr;
  std::vector<MasterPair> masters;
  std::unordered_map<const c10::TensorImpl*, at::Tensor> model_of_master;
  /// Gradients of earlier passes by parameter, set aside while a backward pass makes new ones.
  std::unordered_map<const c10::TensorImpl*, at::Tensor> stash;
  std::vector<at::Tensor> parameters_at_start;  ///< a later optimizer at the same address has other parameters
  bool is_in_pass = false;                      ///< between the halves of a ScaleLossCall
  bool holds_scaled_gradients = false;          ///< after a pass with delay_unscale
  double scale_of_held_gradients = 1.0;         ///< loss scale in the gradients that are still scaled
  std::optional<int> overflowed_loss;           ///< id of a loss that overflowed: the next step is skipped
  at::Tensor found_inf;                         ///< flag on the device: the next step skips if it is not zero
                                                ///< (OpenCheck)
  bool is_skip_reported = false;                ///< listeners know already that the next step is skipped

  /// Returns the half parameter whose master is `parameter`; null if `parameter` is not a master.
  const at::Tensor* model_of(const at::Tensor& parameter) const;
};

/// The FP32 tensors that parameters had before their model was cast, by parameter.
using Originals = std::unordered_map<const c10::TensorImpl*, at::Tensor>;

/// Replaces each FP16 or BF16 parameter that requires a gradient by an FP32 master, in the optimizer's parameter groups
/// and state. A master has the parameter's value from before the cast if `originals` has it. (Apex's masters start from
/// the rounded value.) Parameters with a master are left alone, so this also handles groups that were added later.
void make_masters(OptimizerState& state, const Originals& originals = {});

/// Copies the masters' values to the model.
void copy_masters_to_model(OptimizerState& state);

/// Updates masters whose parameters the program has written since the last step. If a written parameter equals its
/// rounded master, the master stays, since a checkpoint was loaded into both. Writes that do not change the version,
/// such as through `data()`, are not detected.
void update_masters_of_written_parameters(OptimizerState& state);

/// Drops the masters' gradients.
void drop_master_gradients(const OptimizerState& state);

}  // namespace amp
