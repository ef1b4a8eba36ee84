// SPDX-License-Identifier: Apache-2.0
#include "apex/binding/optimizer.h"

#include <algorithm>
#include <array>
#include <type_traits>

#include "amp_core/engine/initialize.h"
#include "amp_core/levels/error.h"
#include "amp_core/optimizers.h"

namespace apex {
namespace {

using torch::optim::OptimizerOptions;
using torch::optim::OptimizerParamState;

struct NoOptions : torch::optim::OptimizerCloneableOptions<NoOptions> {};

class PythonOptimizer : public torch::optim::Optimizer {
 public:
  PythonOptimizer() : Optimizer(std::vector<torch::optim::OptimizerParamGroup>{}, std::make_unique<NoOptions>()) {}

  at::Tensor step(LossClosure) override { throw amp::Error("A Python optimizer steps in Python only."); }
};

/// Returns an option's value. Scripts may pass an integer for a float or a bool.
template <class Value>
Value value_of(const c10::IValue& value) {
  if constexpr (std::is_same_v<Value, double>) {
    return value.toScalar().toDouble();
  } else if constexpr (std::is_same_v<Value, std::tuple<double, double>>) {
    const auto& elements = value.toTupleRef().elements();
    return {value_of<double>(elements.at(0)), value_of<double>(elements.at(1))};
  } else {
    return static_cast<Value>(value.toScalar().to<std::int64_t>());
  }
}

template <class Options>
void set_options(OptimizerOptions& options, const Settings& wanted) {
  auto& typed = static_cast<Options&>(options);
  Options::each_field(typed, [&]<class T>(const char* name, T& field) {
    const auto found = wanted.find(name);
    if (found != wanted.end()) field = value_of<T>(found->value());
  });
  typed.check();
}

template <class State>
NamedTensors tensors_of(OptimizerParamState& state) {
  NamedTensors tensors;
  State::each_field(static_cast<State&>(state), [&](const char* name, const at::Tensor& tensor) {
    if (tensor.defined()) tensors.insert(name, tensor);
  });
  return tensors;
}

template <class State>
std::unique_ptr<OptimizerParamState> state_from(const NamedTensors& tensors) {
  auto state = std::make_unique<State>();
  State::each_field(*state, [&](const char* name, at::Tensor& tensor) {
    const auto found = tensors.find(name);
    if (found != tensors.end()) tensor = found->value();
  });
  return state;
}

bool has_same_tensors(const NamedTensors& one, const NamedTensors& other) {
  return std::all_of(one.begin(), one.end(), [&](const auto& item) {
    const auto found = other.find(item.key());
    return found != other.end() && found->value().is_same(item.value());
  });
}

}  // namespace

struct FusedKind {
  const char* name;
  std::shared_ptr<torch::optim::Optimizer> (*make)();
  void (*set_options)(OptimizerOptions&, const Settings&);
  NamedTensors (*tensors_of)(OptimizerParamState&);
  std::unique_ptr<OptimizerParamState> (*state_from)(const NamedTensors&);
};

namespace {

template <class Fused, class Options, class State>
constexpr FusedKind kind(const char* name) {
  return {name,
          []() -> std::shared_ptr<torch::optim::Optimizer> {
            return std::make_shared<Fused>(std::vector<torch::optim::OptimizerParamGroup>{}, Options(1e-3));
          },
          set_options<Options>, tensors_of<State>, state_from<State>};
}

constexpr std::array kKinds{
    kind<amp::FusedAdagrad, amp::FusedAdagradOptions, amp::FusedAdagradParamState>("FusedAdagrad"),
    kind<amp::FusedAdam, amp::FusedAdamOptions, amp::FusedAdamParamState>("FusedAdam"),
    kind<amp::FusedLAMB, amp::FusedLAMBOptions, amp::FusedLAMBParamState>("FusedLAMB"),
    kind<amp::FusedNovoGrad, amp::FusedNovoGradOptions, amp::FusedNovoGradParamState>("FusedNovoGrad"),
    kind<amp::FusedSGD, amp::FusedSGDOptions, amp::FusedSGDParamState>("FusedSGD"),
};

const FusedKind* kind_named(const std::string& name) {
  const auto* const found =
      std::find_if(kKinds.begin(), kKinds.end(), [&](const FusedKind& kind) { return kind.name == name; });
  if (found == kKinds.end()) throw amp::Error("Unknown fused optimizer " + name + ".");
  return found;
}

}  // namespace

Optimizer::~Optimizer() { amp::forget(*optimizer_); }

c10::intrusive_ptr<Optimizer> Optimizer::of_python() {
  return c10::make_intrusive<Optimizer>(std::make_shared<PythonOptimizer>());
}

void Optimizer::add_group(Tensors parameters) {
  torch::optim::OptimizerParamGroup group(std::move(parameters));
  // Each group gets its own options, so that Python can set them.
  group.set_options(optimizer_->defaults().clone());
  optimizer_->add_param_group(group);
}

FusedOptimizer::FusedOptimizer(const std::string& kind)
    : kind_(kind_named(kind)), optimizer_(c10::make_intrusive<Optimizer>(kind_->make())) {}

void FusedOptimizer::set_group(std::int64_t group, const Tensors& parameters, const Settings& options) {
  auto& groups = optimizer_->get().param_groups();
  if (group == static_cast<std::int64_t>(groups.size())) optimizer_->add_group(parameters);
  auto& here = groups.at(static_cast<std::size_t>(group));
  here.params() = parameters;
  kind_->set_options(here.options(), options);
}

std::tuple<std::vector<std::int64_t>, std::vector<NamedTensors>> FusedOptimizer::step(
    const Tensors& parameters, const std::vector<NamedTensors>& states) {
  auto& kept = optimizer_->get().state();
  kept.clear();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (!states.at(i).empty()) kept[parameters[i].unsafeGetTensorImpl()] = kind_->state_from(states[i]);
  }
  optimizer_->get().step();
  std::tuple<std::vector<std::int64_t>, std::vector<NamedTensors>> changed;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto state = kept.find(parameters[i].unsafeGetTensorImpl());
    if (state == kept.end()) continue;
    NamedTensors now = kind_->tensors_of(*state->second);
    if (has_same_tensors(now, states[i])) continue;
    std::get<0>(changed).push_back(static_cast<std::int64_t>(i));
    std::get<1>(changed).push_back(std::move(now));
  }
  return changed;
}

}  // namespace apex
