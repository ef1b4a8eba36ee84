// SPDX-License-Identifier: Apache-2.0
#include "amp_core/optimizers/fused_optimizer.h"

#include <ATen/Functions.h>
#include <torch/utils.h>

#include "amp_core/levels/properties.h"

namespace amp {
namespace {

void check_scalar(const at::Tensor& scalar, const char* caller) {
  if (!scalar.defined() || (scalar.numel() == 1 && scalar.is_floating_point())) return;
  throw Error(std::string(caller) + " takes a floating-point tensor with one element.");
}

}  // namespace

at::Tensor zero_steps(const at::Tensor& updated) { return at::zeros({}, updated.options().dtype(at::kFloat)); }

void check_option(bool is_right, const std::string& what) {
  if (!is_right) throw Error("Invalid option of a fused optimizer: " + what + ".");
}

void check_not_negative(std::initializer_list<std::pair<const char*, double>> options) {
  for (const auto& [name, value] : options) check_option(value >= 0, std::string(name) + " must not be negative");
}

void check_betas(const std::tuple<double, double>& betas) {
  const auto is_decay = [](double beta) { return beta >= 0 && beta < 1; };
  check_option(is_decay(std::get<0>(betas)) && is_decay(std::get<1>(betas)), "betas must be in [0, 1)");
}

FusedOptimizer::FusedOptimizer(const std::vector<torch::optim::OptimizerParamGroup>& groups,
                               std::unique_ptr<torch::optim::OptimizerOptions> defaults)
    : Optimizer(std::vector<torch::optim::OptimizerParamGroup>{}, std::move(defaults)) {
  for (const auto& group : groups) add_param_group(group);
}

void FusedOptimizer::add_param_group(const torch::optim::OptimizerParamGroup& group) {
  Optimizer::add_param_group(group);
  if (group.has_options()) param_groups_.back().set_options(group.options().clone());
}

void FusedOptimizer::skip_if(at::Tensor found_inf) {
  check_scalar(found_inf, "skip_if");
  flags_.found_inf = std::move(found_inf);
}

void FusedOptimizer::unscale_by(at::Tensor loss_scale) {
  check_scalar(loss_scale, "unscale_by");
  flags_.grad_scale = std::move(loss_scale);
}

void FusedOptimizer::find_states(Bucket& bucket) {
  const auto& owners = bucket.originals.empty() ? bucket.parameters : bucket.originals;
  bucket.states.reserve(owners.size());
  for (std::size_t i = 0; i < owners.size(); ++i) {
    auto& state = state_[owners[i].unsafeGetTensorImpl()];
    if (state == nullptr) state = new_state(bucket.parameters[i]);
    bucket.states.push_back(state.get());
  }
}

at::Tensor FusedOptimizer::step(LossClosure closure) {
  at::Tensor loss;
  if (closure != nullptr) {
    const at::AutoGradMode with_gradients(true);
    loss = closure();
  }
  const torch::NoGradGuard no_grad;
  const StepFlags flags = std::exchange(flags_, {});
  std::vector<Bucket> buckets;
  std::vector<const Options*> options;
  for (const auto& group : param_groups_) {
    for (Bucket& bucket : buckets_of(group.params(), flags)) {
      find_states(bucket);
      buckets.push_back(std::move(bucket));
      options.push_back(&group.options());
    }
  }
  prepare(buckets);
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    update(*options[i], buckets[i]);
    buckets[i].finish();
  }
  return loss;
}

}  // namespace amp
