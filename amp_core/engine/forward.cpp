// SPDX-License-Identifier: Apache-2.0
#include "amp_core/engine/forward.h"

#include "amp_core/base/listeners.h"
#include "amp_core/base/scalar_types.h"
#include "amp_core/engine/engine.h"

namespace amp::detail {
namespace {

thread_local int depth = 0;

std::optional<at::ScalarType> scalar_type(std::optional<ModelType> type) {
  return type ? scalar_type_of(*type) : std::nullopt;
}

}  // namespace

ForwardCall::ForwardCall(const torch::nn::Module& module) : module_(&module), scope_(module) {
  const Engine* engine = find_engine();
  if (engine != nullptr && engine->models.contains(&module)) {
    const Properties& properties = engine->properties;
    inputs_ = scalar_type(properties.cast_model_type);
    const auto by_default = inputs_ ? std::optional(ModelType::Float32) : std::nullopt;
    outputs_ = scalar_type(properties.cast_model_outputs ? properties.cast_model_outputs : by_default);
  }
  if (depth++ == 0) {
    tell([&](Listener& listener) { listener.forward_begun(module_); });
  }
}

ForwardCall::~ForwardCall() {
  if (--depth == 0) {
    tell([&](Listener& listener) { listener.forward_ended(module_); });
  }
}

}  // namespace amp::detail
