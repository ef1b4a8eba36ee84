// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "amp_core/amp.h"
#include "amp_core/casts/casts_of_level.h"
#include "amp_core/engine/engine.h"
#include "amp_core/engine/model_cast.h"
#include "amp_core/levels/banner.h"
#include "amp_core/listeners.h"

namespace amp {
namespace {

Properties properties_for(const Options& options) {
  const char* forced = std::getenv("AMP_OPT_LEVEL");
  return forced != nullptr && *forced != '\0' ? resolve_forced(options, forced) : resolve(options);
}

/// An optimizer that died may have left its address to a new one: that one shares no parameter with it.
bool is_same_optimizer(const OptimizerState& state, const std::vector<at::Tensor>& first_seen) {
  const auto now = master_params(*state.optimizer);
  return !first_seen.empty() && !now.empty() && first_seen.front().is_same(now.front());
}

void check_optimizer(torch::optim::Optimizer& optimizer) {
  const OptimizerState* known = engine().find(optimizer);
  if (known != nullptr && is_same_optimizer(*known, known->parameters_at_start)) {
    throw Error(
        "amp::initialize got an optimizer that it has set up already. Pass each optimizer once, or call "
        "amp::shutdown() first.");
  }
  for (const at::Tensor& parameter : master_params(optimizer)) {
    if (parameter.scalar_type() == at::kFloat) continue;
    throw Error("amp::initialize got an optimizer with a parameter of type " +
                std::string(toString(parameter.scalar_type())) +
                ". Parameters must be FP32; the opt level casts them.");
  }
}

void check_repeated(const Properties& properties) {
  const auto& in_force = engine().properties;
  if (!in_force || !in_force->enabled || in_force->opt_level == properties.opt_level) return;
  throw Error("amp::initialize was called for " + std::string(name_of(properties.opt_level)) + ", but " +
              std::string(name_of(in_force->opt_level)) + " is in force. Call amp::shutdown() first.");
}

void add_model(torch::nn::Module& model) {
  const Properties& properties = *engine().properties;
  if (properties.has_half_model()) make_half(model, properties.keeps_batchnorm());
  engine().models.insert(&model);
  name_modules(model);
}

void add_optimizer(torch::optim::Optimizer& optimizer) {
  std::erase_if(engine().optimizers, [&](const auto& state) { return state->optimizer == &optimizer; });
  auto state = std::make_unique<OptimizerState>();
  state->optimizer = &optimizer;
  if (engine().properties->has_master_weights()) make_masters(*state);
  state->parameters_at_start = master_params(optimizer);
  engine().optimizers.push_back(std::move(state));
}

void set_up(const Models& models, const Optimizers& optimizers) {
  const Properties& properties = *engine().properties;
  for (const auto& model : models) add_model(model.get());
  tell([&](Listener& listener) { listener.initialized(properties); });
  for (torch::optim::Optimizer& optimizer : optimizers) add_optimizer(optimizer);
  while (static_cast<int>(engine().scalers.size()) < properties.num_losses) {
    engine().scalers.push_back(make_loss_scaler(properties));
  }
  if (properties.opt_level != OptLevel::O0) emulate_half_on_cpu();
  set_up_casts(properties);
}

}  // namespace

void initialize(const Models& models, const Optimizers& optimizers, const Options& options) {
  const Properties properties = properties_for(options);
  if (!properties.enabled) {
    engine().properties = properties;
    return;
  }
  check_repeated(properties);
  for (const auto& model : models) check_incoming_model(model.get());
  for (torch::optim::Optimizer& optimizer : optimizers) check_optimizer(optimizer);
  engine().properties = properties;
  say(banner(properties));
  set_up(models, optimizers);
}

}  // namespace amp
