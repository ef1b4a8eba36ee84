// SPDX-License-Identifier: Apache-2.0
#include "amp_core/optimizers/larc.h"

#include <ATen/Functions.h>
#include <torch/optim/adagrad.h>
#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/optim/rmsprop.h>
#include <torch/optim/sgd.h>
#include <torch/utils.h>

#include <utility>
#include <vector>

#include "amp_core/levels/properties.h"
#include "amp_core/multi_tensor/multi_tensor.h"
#include "amp_core/multi_tensor/tensor_groups.h"
#include "amp_core/optimizers/fused_adagrad.h"
#include "amp_core/optimizers/fused_adam.h"
#include "amp_core/optimizers/fused_lamb.h"
#include "amp_core/optimizers/fused_novograd.h"
#include "amp_core/optimizers/fused_sgd.h"

namespace amp {
namespace {

using torch::optim::OptimizerOptions;
using torch::optim::OptimizerParamGroup;

template <class... Known>
double* weight_decay_of_known(OptimizerOptions& options) {
  double* found = nullptr;
  const auto look = [&](auto* known) {
    if (known != nullptr) found = &known->weight_decay();
  };
  (look(dynamic_cast<Known*>(&options)), ...);
  return found;
}

/// Returns the weight decay in these options; LibTorch has no common accessor for the weight decay of all optimizers.
double& weight_decay_of(OptimizerOptions& options) {
  double* const found =
      weight_decay_of_known<FusedAdagradOptions, FusedAdamOptions, FusedLAMBOptions, FusedNovoGradOptions,
                            FusedSGDOptions, torch::optim::AdagradOptions, torch::optim::AdamOptions,
                            torch::optim::AdamWOptions, torch::optim::RMSpropOptions, torch::optim::SGDOptions>(
          options);
  if (found != nullptr) return *found;
  throw Error(
      "LARC cannot take over the weight decay of this optimizer. Use a fused optimizer of amp_core, or LibTorch's "
      "Adagrad, Adam, AdamW, RMSprop or SGD.");
}

/// Sets a group's weight decay to zero; the destructor restores it.
class [[nodiscard]] ZeroedWeightDecay {
 public:
  explicit ZeroedWeightDecay(OptimizerParamGroup& group)
      : place_(&weight_decay_of(group.options())), amount_(std::exchange(*place_, 0)) {}
  ~ZeroedWeightDecay() {
    if (place_ != nullptr) *place_ = amount_;
  }
  ZeroedWeightDecay(ZeroedWeightDecay&& other) noexcept
      : place_(std::exchange(other.place_, nullptr)), amount_(other.amount_) {}
  ZeroedWeightDecay& operator=(ZeroedWeightDecay&&) = delete;

  double amount() const { return amount_; }

 private:
  double* place_;
  double amount_;
};

std::vector<at::Tensor> with_gradient(const std::vector<at::Tensor>& parameters) {
  std::vector<at::Tensor> result;
  for (const at::Tensor& parameter : parameters) {
    if (!parameter.grad().defined()) continue;
    if (parameter.grad().layout() != at::kStrided) throw Error("LARC got a sparse gradient; it needs dense gradients.");
    result.push_back(parameter);
  }
  return result;
}

/// Applies weight decay and adaptive rates to the gradients of parameters of one device and type.
void adapt(const std::vector<at::Tensor>& parameters, const LARCOptions& options, double lr, double decay) {
  std::vector<at::Tensor> gradients;
  for (const at::Tensor& parameter : parameters) gradients.push_back(parameter.grad());
  const at::Tensor size = multi_tensor::l2norm(parameters).per_tensor;
  const at::Tensor gradient_norms = multi_tensor::l2norm(gradients).per_tensor;
  at::Tensor rate = options.trust_coefficient * size / (gradient_norms + size * decay + options.eps);
  if (options.clip) rate = (rate / lr).clamp_max(1);
  const at::Tensor counts = size.ne(0).logical_and(gradient_norms.ne(0));
  if (decay != 0) at::_foreach_add_(gradients, at::_foreach_mul(parameters, (counts * decay).unbind()));
  at::_foreach_mul_(gradients, at::where(counts, rate, at::ones_like(rate)).unbind());
}

}  // namespace

void adapt_gradients(const std::vector<at::Tensor>& parameters, const LARCOptions& options, double lr, double decay) {
  const torch::NoGradGuard no_grad;
  for (const TensorGroup& same : group_by_device_and_type(with_gradient(parameters))) {
    adapt(same.tensors, options, lr, decay);
  }
}

/// Moves parameter groups and state to the inner optimizer; the destructor moves them back.
class [[nodiscard]] LARC::Lent {
 public:
  explicit Lent(LARC& owner) : owner_(owner) { exchange(); }
  ~Lent() { exchange(); }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;

 private:
  void exchange() {
    std::swap(owner_.param_groups_, owner_.inner_->param_groups());
    std::swap(owner_.state_, owner_.inner_->state());
  }

  LARC& owner_;
};

LARC::LARC(std::unique_ptr<torch::optim::Optimizer> inner, const LARCOptions& options)
    : Optimizer(std::vector<OptimizerParamGroup>{}, inner->defaults().clone()),
      inner_(std::move(inner)),
      options_(options) {
  for (OptimizerParamGroup& group : inner_->param_groups()) static_cast<void>(weight_decay_of(group.options()));
  std::swap(param_groups_, inner_->param_groups());
  std::swap(state_, inner_->state());
}

at::Tensor LARC::step(LossClosure closure) {
  if (closure != nullptr) throw Error("LARC takes no closure: it must see the gradients before the optimizer steps.");
  const torch::NoGradGuard no_grad;
  std::vector<ZeroedWeightDecay> decays;
  for (OptimizerParamGroup& group : param_groups_) {
    decays.emplace_back(group);
    adapt_gradients(group.params(), options_, group.options().get_lr(), decays.back().amount());
  }
  const Lent lent(*this);
  return inner_->step();
}

void LARC::save(torch::serialize::OutputArchive& archive) const {
  const Lent lent(const_cast<LARC&>(*this));  // the inner optimizer knows the types of its state; Lent undoes all
                                              // changes
  inner_->save(archive);
}

void LARC::load(torch::serialize::InputArchive& archive) {
  const Lent lent(*this);
  inner_->load(archive);
}

}  // namespace amp
