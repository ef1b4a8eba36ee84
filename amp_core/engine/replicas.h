// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <exception>
#include <memory>
#include <vector>

#include "amp_core/engine/optimizer_state.h"

namespace torch::nn {
class Module;
}

namespace amp {

/// A model of which each rank of a process group trains a copy, as far as scale_loss() has to know of it; parallel/ has
/// the implementations. Parameters are the model's, never masters.
class Replicas {
 public:
  virtual ~Replicas() = default;

  virtual bool trains(const at::Tensor& parameter) const = 0;

  /// Called before each backward pass of an optimizer that updates any of the parameters.
  virtual void before_backward(const at::Tensor& loss) = 0;

  /// Throws Error where what backward threw says that a rank was lost, as it begins to sum gradients over them.
  virtual void explain(const std::exception& error) const = 0;

  /// Whether the gradients of the last forward pass are to stay on this rank, to add up (no_sync).
  virtual bool keeps_gradients() const = 0;

  /// Says which group it is; those with one group need to agree once.
  virtual const void* group() const = 0;

  /// Returns the numbers, one dimension, FP32, each the largest of all ranks. All ranks call it together. The result
  /// may be on another device, and nobody waits for that one.
  virtual at::Tensor largest_of_ranks(const at::Tensor& numbers) const = 0;
};

using ReplicasList = std::vector<std::shared_ptr<Replicas>>;

/// Makes replicas known to the engines of this process for as long as they live.
void add_replicas(const std::shared_ptr<Replicas>& replicas);

/// Returns those that train parameters of these optimizers; costs one load where there are none in the process.
ReplicasList replicas_of(const std::vector<OptimizerState*>& states);

/// Returns the masters that this thread's engine keeps for parameters of a model: ranks that begin alike have to have
/// these alike too.
std::vector<at::Tensor> masters_of(const std::vector<at::Tensor>& parameters);

/// Throws Error for a model that is trained as one of several copies already: its wrapper would not see the parameters'
/// final types.
void refuse_replicas(const torch::nn::Module& model);

}  // namespace amp
