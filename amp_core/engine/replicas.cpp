// SPDX-License-Identifier: Apache-2.0
#include "amp_core/engine/replicas.h"

#include <torch/nn/module.h>
#include <torch/optim/optimizer.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <unordered_set>

#include "amp_core/engine/engine.h"
#include "amp_core/engine/registry.h"
#include "amp_core/engine/step.h"
#include "amp_core/levels/error.h"

namespace amp {
namespace {

struct Known {
  std::mutex mutex;
  std::vector<std::weak_ptr<Replicas>> replicas;
};

Known& known() {
  static auto* const instance = new Known();
  return *instance;
}

std::atomic<bool> has_any = false;

ReplicasList all_replicas() {
  const std::lock_guard lock(known().mutex);
  ReplicasList alive;
  for (const auto& each : known().replicas) {
    if (auto replicas = each.lock()) alive.push_back(std::move(replicas));
  }
  return alive;
}

bool trains_any(const Replicas& replicas, const OptimizerState& state) {
  const auto parameters = master_params(*state.optimizer);
  return std::any_of(parameters.begin(), parameters.end(), [&](const at::Tensor& parameter) {
    const at::Tensor* model = state.model_of(parameter);
    return replicas.trains(model != nullptr ? *model : parameter);
  });
}

}  // namespace

void add_replicas(const std::shared_ptr<Replicas>& replicas) {
  const std::lock_guard lock(known().mutex);
  std::erase_if(known().replicas, [](const auto& each) { return each.expired(); });
  known().replicas.push_back(replicas);
  has_any = true;
}

ReplicasList replicas_of(const std::vector<OptimizerState*>& states) {
  if (!has_any.load(std::memory_order_relaxed)) return {};
  ReplicasList all = all_replicas();
  std::erase_if(all, [&](const auto& replicas) {
    return std::none_of(states.begin(), states.end(),
                        [&](const OptimizerState* state) { return trains_any(*replicas, *state); });
  });
  return all;
}

std::vector<at::Tensor> masters_of(const std::vector<at::Tensor>& parameters) {
  const Engine* engine = find_engine();
  if (engine == nullptr) return {};
  std::unordered_set<const c10::TensorImpl*> wanted;
  for (const at::Tensor& parameter : parameters) wanted.insert(parameter.unsafeGetTensorImpl());
  std::vector<at::Tensor> masters;
  for (const auto& state : engine->optimizers) {
    for (const MasterPair& pair : state->masters) {
      if (wanted.contains(pair.model.unsafeGetTensorImpl())) masters.push_back(pair.master);
    }
  }
  return masters;
}

void refuse_replicas(const torch::nn::Module& model) {
  const auto parameters = model.parameters();
  for (const auto& replicas : all_replicas()) {
    if (std::none_of(parameters.begin(), parameters.end(),
                     [&](const at::Tensor& parameter) { return replicas->trains(parameter); })) {
      continue;
    }
    throw Error(
        "amp::initialize got a model that is already wrapped for data parallelism. Call initialize() first and wrap "
        "the model afterwards: the wrapper must see the parameters' final types.");
  }
}

}  // namespace amp
