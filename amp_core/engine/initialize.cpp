// SPDX-License-Identifier: Apache-2.0
#include "amp_core/engine/initialize.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "amp_core/base/listeners.h"
#include "amp_core/base/scalar_types.h"
#include "amp_core/casts/casts.h"
#include "amp_core/casts/casts_of_level.h"
#include "amp_core/casts/module_path.h"
#include "amp_core/emulation/half_on_cpu.h"
#include "amp_core/engine/engine.h"
#include "amp_core/engine/model_cast.h"
#include "amp_core/engine/registry.h"
#include "amp_core/engine/replicas.h"
#include "amp_core/engine/step.h"
#include "amp_core/levels/banner.h"
#include "amp_core/levels/forced_type.h"

namespace amp {
namespace {

// initialize() checks everything before it changes anything, so an Error has no effect.

Properties properties_for(const Options& options) {
  if (!options.enabled) return {.enabled = false, .verbosity = options.verbosity};
  const char* forced = std::getenv("AMP_OPT_LEVEL");
  const bool is_forced = forced != nullptr && *forced != '\0';
  const auto type = forced_type();
  Options asked = type ? with_reduced_type(options, is_forced ? forced : options.opt_level, *type) : options;
  if (const std::string recipe = forced_recipe(); !recipe.empty()) asked.recipe = recipe;
  if (const auto scale = forced_init_scale()) asked.init_scale = scale;
  return is_forced ? resolve_forced(asked, forced) : resolve(asked);
}

/// Throws Error if a second call of initialize() has other settings: models and optimizers of both calls share the
/// settings.
void check_repeated(const Engine& engine, const Properties& wanted) {
  const Properties& in_force = engine.properties;
  if (!in_force.enabled) return;
  auto now = settings_of(in_force);
  auto then = settings_of(wanted);
  now.emplace_back("recipe", in_force.recipe);
  then.emplace_back("recipe", wanted.recipe);
  const auto [differing, other] = std::mismatch(now.begin(), now.end(), then.begin(), then.end());
  if (differing == now.end()) return;
  throw Error("amp::initialize was called with " + other->first + " = " + other->second + ", but " + differing->second +
              " is in force. A further call only adds models and optimizers: repeat the settings of the first call, or "
              "call amp::shutdown() first.");
}

/// Tells whether the optimizer at the state's address is still the one for which the state was made: a later optimizer
/// at the same address has other parameters.
bool is_set_up(const OptimizerState& state) {
  const auto now = master_params(*state.optimizer);
  const auto& first_seen = state.parameters_at_start;
  return !first_seen.empty() && !now.empty() && first_seen.front().is_same(now.front());
}

bool may_be_optimized(at::ScalarType type, const Properties& wanted, const Engine* engine) {
  if (type == at::kFloat) return true;
  // A half parameter is accepted if an earlier call, or the program itself, has cast the model.
  const auto model_type = wanted.cast_model_type.value_or(ModelType::Float32);
  if (model_type == ModelType::Unchanged) return type == at::kHalf;
  return engine != nullptr && is_reduced(type) && scalar_type_of(model_type) == type;
}

void check_parameters(const torch::optim::Optimizer& optimizer, const Properties& wanted, const Engine* engine) {
  for (const at::Tensor& parameter : master_params(optimizer)) {
    if (may_be_optimized(parameter.scalar_type(), wanted, engine)) continue;
    throw Error("amp::initialize got an optimizer with a parameter of type " +
                std::string(toString(parameter.scalar_type())) +
                ". Parameters must be FP32; the opt level casts them. Give parameters of other types to an optimizer "
                "that is not passed to amp.");
  }
}

void check_optimizers(const Optimizers& optimizers, const Properties& wanted, Engine* engine) {
  std::set<const torch::optim::Optimizer*> seen;
  for (torch::optim::Optimizer& optimizer : optimizers) {
    const OptimizerState* known = engine == nullptr ? nullptr : engine->find(optimizer);
    if (!seen.insert(&optimizer).second || (known != nullptr && is_set_up(*known))) {
      throw Error(
          "amp::initialize got an optimizer that it has already set up, or the same optimizer twice. Pass each "
          "optimizer once, or call amp::shutdown() first.");
    }
    check_parameters(optimizer, wanted, engine);
  }
}

void check_models(const Models& models, const Properties& wanted, const Engine* engine) {
  std::set<const torch::nn::Module*> seen;
  for (const auto& model : models) {
    refuse_data_parallel(model.get());
    refuse_replicas(model.get());
    if (!seen.insert(&model.get()).second || (engine != nullptr && engine->knows(model.get()))) {
      throw Error(
          "amp::initialize got a model that it has already set up, or the same model twice. Pass each model once, or "
          "call amp::shutdown() first.");
    }
    if (wanted.cast_model_type != ModelType::Unchanged) refuse_reduced(model.get());
  }
}

void add_model(Engine& engine, torch::nn::Module& model, Originals& originals) {
  const Properties& properties = engine.properties;
  if (properties.has_half_model()) {
    auto cast = cast_model(model, *scalar_type_of(*properties.cast_model_type), properties.keeps_batchnorm());
    if (properties.has_master_weights()) originals.merge(cast);
  }
  engine.add(model);
  name_modules(model);
}

void add_optimizer(Engine& engine, torch::optim::Optimizer& optimizer, const Originals& originals) {
  std::erase_if(engine.optimizers, [&](const auto& state) { return state->optimizer == &optimizer; });
  auto state = std::make_unique<OptimizerState>();
  state->optimizer = &optimizer;
  if (engine.properties.has_master_weights()) make_masters(*state, originals);
  state->parameters_at_start = master_params(optimizer);
  engine.optimizers.push_back(std::move(state));
}

void set_up(Engine& engine, const Models& models, const Optimizers& optimizers) {
  // Called at every level: the CPU's kernel tables cannot change later, when threads at other levels call ops.
  emulate_half_on_cpu();
  Originals originals;
  for (const auto& model : models) add_model(engine, model.get(), originals);
  tell([&](Listener& listener) { listener.initialized(engine.properties); });
  for (torch::optim::Optimizer& optimizer : optimizers) add_optimizer(engine, optimizer, originals);
  while (static_cast<int>(engine.losses.size()) < engine.properties.num_losses) {
    engine.losses.push_back({LossScaler(engine.properties.scaler)});
  }
  set_up_casts(engine.properties);
}

}  // namespace

void initialize(const Models& models, const Optimizers& optimizers, const Options& options) {
  const Properties properties = properties_for(options);
  Engine* const before = find_own_engine();
  if (!properties.enabled) {
    if (before != nullptr && before->is_enabled() && !before->optimizers.empty()) {
      throw Error(
          "amp::initialize was called with enabled = false after it had set up optimizers, which would then no longer "
          "update their models. Call amp::shutdown() first.");
    }
    own_engine().properties = properties;
    return;
  }
  if (before != nullptr) check_repeated(*before, properties);
  check_models(models, properties, before);
  check_optimizers(optimizers, properties, before);
  check_casts(properties);
  Engine& engine = own_engine();
  engine.properties = properties;
  engine.say_on_first_rank(banner(properties));
  set_up(engine, models, optimizers);
}

void forget(const torch::optim::Optimizer& optimizer) noexcept {
  try {
    Engine* const here = find_engine();
    if (here == nullptr || here->find(optimizer) == nullptr) return;
    settle(*here);
    std::erase_if(here->optimizers, [&](const auto& state) { return state->optimizer == &optimizer; });
  } catch (const std::exception&) {  // several engines are alive, or the device is lost
  }
}

const Properties& properties() { return engine("properties").properties; }

void shutdown() {
  end_engine();
  disable_casts_on_this_thread();
}

}  // namespace amp
