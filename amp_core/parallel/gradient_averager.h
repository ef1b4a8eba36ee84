// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <unordered_set>
#include <vector>

#include "amp_core/engine/replicas.h"

namespace c10d {
class Reducer;
}

namespace amp::parallel {

/// Options of DistributedDataParallel; names and defaults are Apex's.
struct DistributedOptions {
  /// The ranks, each with a copy of the model; null for default_group().
  c10::intrusive_ptr<c10d::ProcessGroup> process_group = nullptr;
  std::int64_t message_size = 10'000'000;  ///< elements per message: smaller messages start earlier but cost more calls
  bool delay_allreduce = false;            ///< all gradients of a type are sent together, after the last
  bool allreduce_always_fp32 = false;      ///< half gradients are summed in FP32, at twice the bytes
  bool gradient_average = true;            ///< false: gradients are summed
  double gradient_predivide_factor = 1.0;  ///< divides gradients before they are summed (Averaging)
  /// Set this if a pass may not use all parameters: each pass then searches for unused ones. A parameter that no rank
  /// uses keeps its gradient.
  bool find_unused_parameters = false;
  /// Copies buffers (running statistics) from rank 0 before each forward pass, as in PyTorch; else only at the start,
  /// as in Apex.
  bool broadcast_buffers = false;
};

/// Averages the gradients of one model over the ranks while backward runs, with c10d's Reducer. DistributedDataParallel
/// wraps it.
class GradientAverager : public Replicas, public std::enable_shared_from_this<GradientAverager> {
 public:
  /// Makes an averager, registers it for scale_loss(), and copies rank 0's parameters and buffers to all ranks. All
  /// ranks call it together. Throws Error for a model without trained parameters and for models that differ between
  /// ranks.
  static std::shared_ptr<GradientAverager> make(const torch::nn::Module& model, const DistributedOptions& options);
  ~GradientAverager() override;

  GradientAverager(const GradientAverager&) = delete;
  GradientAverager& operator=(const GradientAverager&) = delete;

  /// Called before each forward pass.
  void before_forward();

  /// Sets whether passes from now on keep their gradients on this rank (NoSync).
  void set_keeps_gradients(bool keeps) { is_asked_to_keep_ = keeps; }
  bool is_asked_to_keep() const { return is_asked_to_keep_; }

  bool trains(const at::Tensor& parameter) const override;
  void before_backward(const at::Tensor& loss) override;
  void explain(const std::exception& error) const override;
  bool keeps_gradients() const override { return last_pass_keeps_; }
  const void* group() const override { return options_.process_group.get(); }
  at::Tensor largest_of_ranks(const at::Tensor& numbers) const override;

 private:
  GradientAverager(const torch::nn::Module& model, const DistributedOptions& options);

  DistributedOptions options_;
  std::vector<at::Tensor> parameters_;  ///< parameters that require a gradient
  std::vector<at::Tensor> buffers_;
  std::unordered_set<const c10::TensorImpl*> trained_;
  std::unique_ptr<c10d::Reducer> reducer_;  ///< null for a single rank
  bool is_asked_to_keep_ = false;
  bool last_pass_keeps_ = false;
};

}  // namespace amp::parallel
