// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <utility>

#include "amp_core/base/models.h"
#include "amp_core/engine/forward.h"
#include "amp_core/parallel/gradient_averager.h"

namespace amp::parallel {

/// In its scope, backward passes keep their gradients on this rank. The gradients add up until a pass outside of all
/// scopes averages the sums. In the scope, scale_loss() needs `delay_unscale`, unless the loss scale is always 1 and
/// there are no masters. Scopes nest.
class [[nodiscard]] NoSync {
 public:
  explicit NoSync(std::shared_ptr<GradientAverager> averager)
      : averager_(std::move(averager)), before_(averager_->is_asked_to_keep()) {
    averager_->set_keeps_gradients(true);
  }
  ~NoSync() { averager_->set_keeps_gradients(before_); }
  NoSync(const NoSync&) = delete;
  NoSync& operator=(const NoSync&) = delete;

 private:
  std::shared_ptr<GradientAverager> averager_;
  bool before_;
};

/// Wraps a model of which each rank trains a copy, on its own part of the batch. The gradients of all ranks are
/// averaged while backward runs, so that the copies stay equal bit for bit.
///
///     amp::parallel::init();
///     amp::initialize(model, optimizer, {.opt_level = "O2"});
///     amp::parallel::DistributedDataParallel parallel(model);
///     auto loss = loss_of(amp::forward(parallel, batch), labels);
///     amp::scale_loss(loss, optimizer, [](const at::Tensor& scaled) { scaled.backward(); });
///     amp::step(optimizer);
///
/// `Model` is a module or a module holder, which must outlive this object. Call initialize() first. An overflow on one
/// rank skips the step on all. The wrapper also works without amp: call backward() on the loss as usual or, with
/// find_unused_parameters, this class's backward().
template <IsModel Model>
class DistributedDataParallel {
 public:
  explicit DistributedDataParallel(Model& model, const DistributedOptions& options = {})
      : model_(&model), averager_(GradientAverager::make(module_of(model), options)) {}

  /// Calls the model like amp::forward().
  template <class... Arguments>
  decltype(auto) forward(Arguments&&... arguments) {
    averager_->before_forward();
    return amp::forward(*model_, std::forward<Arguments>(arguments)...);
  }

  /// Runs a backward pass outside of scale_loss(). A program that does not use scale_loss() needs this function if
  /// find_unused_parameters is set.
  void backward(const at::Tensor& loss) {
    averager_->before_backward(loss);
    loss.backward();
  }

  NoSync no_sync() { return NoSync(averager_); }

  Model& module() { return *model_; }

 private:
  Model* model_;
  std::shared_ptr<GradientAverager> averager_;
};

}  // namespace amp::parallel

namespace amp {

/// Calls a DistributedDataParallel model as forward() calls other models.
template <IsModel Model, class... Arguments>
decltype(auto) forward(parallel::DistributedDataParallel<Model>& model, Arguments&&... arguments) {
  return model.forward(std::forward<Arguments>(arguments)...);
}

}  // namespace amp
