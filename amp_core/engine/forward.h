// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "amp_core/base/cast_floating.h"
#include "amp_core/base/models.h"
#include "amp_core/casts/module_path.h"
#include "amp_core/torch_hooks/recompute.h"

namespace amp {
namespace detail {

/// The type in which a call keeps an argument: a value (to be cast) if the argument contains tensors, else a reference.
template <class Argument>
using Kept = std::conditional_t<kHoldsTensors<std::decay_t<Argument>>, std::decay_t<Argument>, Argument&&>;

/// One call of a model: knows the types to which its level casts inputs and outputs, and reports the outermost call to
/// listeners.
class ForwardCall {
 public:
  explicit ForwardCall(const torch::nn::Module& module);
  ~ForwardCall();
  ForwardCall(const ForwardCall&) = delete;
  ForwardCall& operator=(const ForwardCall&) = delete;

  /// Calls `function` with the arguments in the caller's value categories.
  template <class Function, class... Arguments>
  decltype(auto) run(Function&& function, Arguments&&... arguments) const {
    std::tuple<Kept<Arguments>...> kept(input(std::forward<Arguments>(arguments))...);
    const auto call = [&](auto&... each) -> decltype(auto) { return function(static_cast<Arguments&&>(each)...); };
    using Result = decltype(std::apply(call, kept));
    if constexpr (kHoldsTensors<std::decay_t<Result>>) {
      return output<std::decay_t<Result>>(std::apply(call, kept));
    } else {
      return static_cast<Result>(std::apply(call, kept));
    }
  }

 private:
  template <class Argument>
  Kept<Argument> input(Argument&& argument) const {
    if constexpr (kHoldsTensors<std::decay_t<Argument>>) {
      if (inputs_) return Caster<std::decay_t<Argument>>::cast(argument, *inputs_);
    }
    return std::forward<Argument>(argument);
  }

  template <class Result>
  Result output(Result result) const {
    return outputs_ ? Caster<Result>::cast(result, *outputs_) : result;
  }

  const torch::nn::Module* module_;
  ModuleScope scope_;
  RecomputeScope recompute_;  ///< a call made by a node of backward counts as recomputed forward
  std::optional<at::ScalarType> inputs_;
  std::optional<at::ScalarType> outputs_;
};

/// Returns the module object, however the program holds the model.
template <IsModel Model>
auto& object_of(Model& model) {
  if constexpr (std::derived_from<Model, torch::nn::Module>) {
    return model;
  } else {
    return *model;
  }
}

}  // namespace detail

/// Calls a model's forward with the casts of its opt level, and returns its result. At O2 and O3 floating inputs become
/// half, and outputs FP32 again (or the type in cast_model_outputs). At O0 inputs and outputs are FP32. At O1 nothing
/// is cast here. A model that was not passed to initialize() is called without casts. cast_floating.h lists the
/// containers that are searched for tensors, and shows how to add a type of your own.
///
/// Arguments that hold no tensors are forwarded as they are: references and move-only types work. The model gets a copy
/// of an argument that holds tensors, so an assignment to it through a reference does not reach the caller. A model
/// that writes into an argument's tensors changes the caller's tensors only if nothing had to be cast.
template <IsModel Model, class... Arguments>
decltype(auto) forward(Model& model, Arguments&&... arguments) {
  const detail::ForwardCall call(module_of(model));
  auto& object = detail::object_of(model);
  const auto forward_of = [&object](auto&&... each) -> decltype(auto) {
    return object.forward(std::forward<decltype(each)>(each)...);
  };
  return call.run(forward_of, std::forward<Arguments>(arguments)...);
}

/// Calls another member function of the model as forward() would. Default arguments must be spelled out, as with every
/// pointer to a member.
///
///     amp::call(net, &NetImpl::encode, x);
///     amp::call(lstm, &torch::nn::LSTMImpl::forward_with_packed_input, packed, state);
template <IsModel Model, class Method, class... Arguments>
decltype(auto) call(Model& model, Method method, Arguments&&... arguments) {
  const detail::ForwardCall call(module_of(model));
  auto& object = detail::object_of(model);
  const auto method_of = [&object, method](auto&&... each) -> decltype(auto) {
    return std::invoke(method, object, std::forward<decltype(each)>(each)...);
  };
  return call.run(method_of, std::forward<Arguments>(arguments)...);
}

}  // namespace amp
