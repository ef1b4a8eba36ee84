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

/// The interface between scale_loss() and a model of which each rank of a process group trains a copy. parallel/ has
/// the implementations. Parameters are the model's, never masters.
class Replicas {
 public:
  virtual ~Replicas() = default;

  virtual bool trains(const at::Tensor& parameter) const = 0;

  /// Called before each backward pass of an optimizer that updates any of the parameters.
  virtual void before_backward(const at::Tensor& loss) = 0;

  /// Throws Error if the exception shows that a rank was lost during backward, which sums gradients over ranks.
  virtual void explain(const std::exception& error) const = 0;

  /// Returns whether the gradients of the last forward pass stay on this rank, to add up over several passes (no_sync).
  virtual bool keeps_gradients() const = 0;

  /// Identifies the group; replicas of one group need to agree only once.
  virtual const void* group() const = 0;

  /// Returns the elementwise maximum over all ranks of `numbers`, which are FP32 with one dimension. All ranks call it
  /// together. The result may be on another device, and the call does not wait for the result.
  virtual at::Tensor largest_of_ranks(const at::Tensor& numbers) const = 0;
};

using ReplicasList = std::vector<std::shared_ptr<Replicas>>;

/// Registers replicas with the engines of this process, until the replicas are destroyed.
void add_replicas(const std::shared_ptr<Replicas>& replicas);

/// Returns the replicas that train parameters of these optimizers. Costs one load if the process has none.
ReplicasList replicas_of(const std::vector<OptimizerState*>& states);

/// Returns the masters that this thread's engine keeps for parameters of a model. Ranks that start with equal
/// parameters need equal masters too.
std::vector<at::Tensor> masters_of(const std::vector<at::Tensor>& parameters);

/// Throws Error for a model that is already wrapped (has replicas): the wrapper must see the parameters' final types.
void refuse_replicas(const torch::nn::Module& model);

}  // namespace amp
