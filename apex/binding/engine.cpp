// SPDX-License-Identifier: Apache-2.0
#include "apex/binding/engine.h"

#include <array>
#include <map>
#include <utility>

#include "amp_core/base/frontend.h"
#include "amp_core/base/reported_cast.h"
#include "amp_core/base/scalar_types.h"
#include "amp_core/casts/cast_table.h"
#include "amp_core/casts/decorators.h"
#include "amp_core/checkpoint/checkpoint.h"
#include "amp_core/engine/engine.h"
#include "amp_core/engine/optimizer_state.h"
#include "amp_core/engine/registry.h"
#include "apex/binding/sentences.h"

namespace apex {
namespace {

/// Returns the number of master weights of these optimizers. Optimizers that are unknown to the engine have none.
std::size_t masters_among(const Optimizers& optimizers) {
  amp::Engine* const engine = amp::find_engine();
  std::size_t count = 0;
  for (const auto& optimizer : optimizers) {
    const amp::OptimizerState* state = engine == nullptr ? nullptr : engine->find(optimizer->get());
    if (state != nullptr) count += state->masters.size();
  }
  return count;
}

amp::Optimizers refs_of(const Optimizers& optimizers) {
  std::vector<amp::Optimizers::Ref> refs;
  for (const auto& optimizer : optimizers) refs.emplace_back(optimizer->get());
  return amp::Optimizers(std::move(refs));
}

const std::array<std::pair<at::ScalarType, const char*>, 3> kTypes{
    {{at::kHalf, "float16"}, {at::kBFloat16, "bfloat16"}, {at::kFloat, "float32"}}};

std::string name_of(std::optional<at::ScalarType> type) {
  for (const auto& [known, name] : kTypes) {
    if (type == known) return name;
  }
  return "";
}

at::ScalarType type_named(const std::string& wanted) {
  for (const auto& [type, name] : kTypes) {
    if (name == wanted) return type;
  }
  throw amp::Error("There is no cast to " + wanted + ".");
}

std::optional<at::ScalarType> scalar_type(const std::optional<amp::ModelType>& type) {
  return type ? amp::scalar_type_of(*type) : std::nullopt;
}

amp::CastPolicy policy_named(const std::string& name) {
  if (name == "half") return amp::CastPolicy::Low;
  return name == "float" ? amp::CastPolicy::Fp32 : amp::CastPolicy::Promote;
}

}  // namespace

ScaleLoss::ScaleLoss(const at::Tensor& loss, Optimizers optimizers, const amp::ScaleLossOptions& options)
    : optimizers_(std::move(optimizers)),
      call_(std::make_unique<amp::ScaleLossCall>(loss, refs_of(optimizers_), options)) {}

std::tuple<c10::intrusive_ptr<ScaleLoss>, at::Tensor, bool> ScaleLoss::begin(const at::Tensor& loss,
                                                                             const Optimizers& optimizers,
                                                                             std::int64_t loss_id, bool delay_unscale,
                                                                             bool delay_overflow_check) {
  const amp::ScaleLossOptions options{static_cast<int>(loss_id), delay_unscale, delay_overflow_check};
  const std::size_t masters = masters_among(optimizers);
  auto block = c10::make_intrusive<ScaleLoss>(loss, optimizers, options);
  const at::Tensor scaled = block->call_->scaled();
  return {std::move(block), scaled, masters_among(optimizers) != masters};
}

void ScaleLoss::finish() {
  const auto call = std::move(call_);
  if (call) call->finish();
}

bool Step::begin(bool calls_closure) {
  call_.reset();
  call_ = std::make_unique<amp::StepCall>(
      optimizer_->get(), calls_closure ? amp::StepCall::Closure::Called : amp::StepCall::Closure::None);
  return call_->may_step();
}

void Step::end(bool has_stepped) {
  const auto call = std::move(call_);
  if (has_stepped && call) call->finish();
}

void Engine::initialize(const Models& models, const Optimizers& optimizers, const Words& options) {
  amp::use_frontend({.print = print_to_python, .reword = in_python_names});
  std::vector<amp::ModelRef> refs;
  for (const auto& model : models) refs.emplace_back(model->root());
  amp::initialize(amp::Models(std::move(refs)), refs_of(optimizers), options_from(options));
}

void Engine::shutdown() { amp::shutdown(); }

std::optional<bool> Engine::is_enabled() {
  const amp::Engine* const engine = amp::find_engine();
  return engine == nullptr ? std::nullopt : std::optional(engine->is_enabled());
}

std::tuple<std::string, std::string> Engine::model_types() {
  const amp::Properties& properties = amp::properties();
  const auto inputs = scalar_type(properties.cast_model_type);
  const auto by_default = inputs ? std::optional(amp::ModelType::Float32) : std::nullopt;
  return {name_of(inputs),
          name_of(scalar_type(properties.cast_model_outputs ? properties.cast_model_outputs : by_default))};
}

at::Tensor Engine::cast(const at::Tensor& tensor, const std::string& type) {
  return amp::cast(tensor, type_named(type));
}

std::tuple<Tensors, Tensors> Engine::masters_of(const c10::intrusive_ptr<Optimizer>& optimizer) {
  Tensors models;
  Tensors masters;
  for (const auto& pair : amp::engine("master_params").state_of(optimizer->get(), "master_params").masters) {
    models.push_back(pair.model);
    masters.push_back(pair.master);
  }
  return {std::move(models), std::move(masters)};
}

void Engine::make_masters(const c10::intrusive_ptr<Optimizer>& optimizer) {
  amp::Engine& here = amp::engine("add_param_group");
  if (here.properties.has_master_weights()) amp::make_masters(here.state_of(optimizer->get(), "add_param_group"));
}

bool Engine::knows_function(const std::string& name) { return amp::op_exists({name, amp::CastPolicy::Fp32, ""}); }

void Engine::register_function(const std::string& policy, const std::string& name) {
  if (policy == "half") return amp::register_half_function(name);
  return policy == "float" ? amp::register_float_function(name) : amp::register_promote_function(name);
}

std::string Engine::type_for_function(const std::string& policy, const Tensors& tensors) {
  amp::detail::TypesSeen seen;
  for (const at::Tensor& tensor : tensors) seen.note(tensor);
  return name_of(amp::detail::decorated_type(policy_named(policy), seen));
}

double Engine::loss_scale(std::int64_t loss_id) { return amp::loss_scale(static_cast<int>(loss_id)); }

std::vector<std::tuple<double, std::int64_t>> Engine::loss_scalers() {
  std::vector<std::tuple<double, std::int64_t>> scalers;
  const amp::StateDict state = amp::state_dict();
  for (const auto& [id, loss] : state.losses) scalers.emplace_back(loss.state.scale, loss.state.clean_passes);
  return scalers;
}

void Engine::load_loss_scalers(const c10::Dict<std::string, c10::Dict<std::string, double>>& scalers) {
  std::map<std::string, amp::Numbers> numbers;
  for (const auto& scaler : scalers) {
    for (const auto& number : scaler.value()) numbers[scaler.key()][number.key()] = number.value();
  }
  amp::import_apex_state(numbers);
}

Tensors Engine::checkpoint_tensors(const Tensors& tensors) { return amp::checkpoint_tensors(tensors); }

void Engine::load_masters(const Tensors& parameters, const Tensors& values) { amp::load_masters(parameters, values); }

}  // namespace apex
