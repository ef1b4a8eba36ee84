// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "amp_core/casts/module_path.h"
#include "amp_core/models.h"

namespace amp {
namespace detail {

/// Casts floating tensors to `type`, inside optionals, vectors, pairs, tuples and maps too. Double, and whatever is not
/// a tensor, stays as it is. One overload a container: a new kind of container is one more.
inline at::Tensor cast_floating(const at::Tensor& tensor, at::ScalarType type) {
  const bool is_cast = tensor.defined() && tensor.is_floating_point() && tensor.scalar_type() != at::kDouble;
  return is_cast ? tensor.to(type) : tensor;
}

template <class Value>
std::optional<Value> cast_floating(const std::optional<Value>& value, at::ScalarType type);
template <class Value>
std::vector<Value> cast_floating(const std::vector<Value>& values, at::ScalarType type);
template <class First, class Second>
std::pair<First, Second> cast_floating(const std::pair<First, Second>& values, at::ScalarType type);
template <class... Values>
std::tuple<Values...> cast_floating(const std::tuple<Values...>& values, at::ScalarType type);
template <class Key, class Value>
std::map<Key, Value> cast_floating(const std::map<Key, Value>& values, at::ScalarType type);
template <class Key, class Value>
std::unordered_map<Key, Value> cast_floating(const std::unordered_map<Key, Value>& values, at::ScalarType type);

template <class Value>
concept IsCastable = requires(const Value& value) {
  cast_floating(value, at::kHalf);
};

/// The value itself, or its cast where it holds tensors.
template <class Value>
auto cast_if_tensors(const Value& value, at::ScalarType type) {
  if constexpr (IsCastable<Value>) {
    return cast_floating(value, type);
  } else {
    return value;
  }
}

template <class Value>
std::optional<Value> cast_floating(const std::optional<Value>& value, at::ScalarType type) {
  return value ? std::optional<Value>(cast_if_tensors(*value, type)) : value;
}

template <class Value>
std::vector<Value> cast_floating(const std::vector<Value>& values, at::ScalarType type) {
  std::vector<Value> cast;
  cast.reserve(values.size());
  for (const auto& value : values) cast.push_back(cast_if_tensors(value, type));
  return cast;
}

template <class First, class Second>
std::pair<First, Second> cast_floating(const std::pair<First, Second>& values, at::ScalarType type) {
  return {cast_if_tensors(values.first, type), cast_if_tensors(values.second, type)};
}

template <class... Values>
std::tuple<Values...> cast_floating(const std::tuple<Values...>& values, at::ScalarType type) {
  const auto cast = [type](const Values&... each) { return std::tuple<Values...>(cast_if_tensors(each, type)...); };
  return std::apply(cast, values);
}

template <class Key, class Value>
std::map<Key, Value> cast_floating(const std::map<Key, Value>& values, at::ScalarType type) {
  std::map<Key, Value> cast;
  for (const auto& [key, value] : values) cast.emplace(key, cast_if_tensors(value, type));
  return cast;
}

template <class Key, class Value>
std::unordered_map<Key, Value> cast_floating(const std::unordered_map<Key, Value>& values, at::ScalarType type) {
  std::unordered_map<Key, Value> cast;
  for (const auto& [key, value] : values) cast.emplace(key, cast_if_tensors(value, type));
  return cast;
}

/// One call of a model: knows what its level casts inputs and outputs to, and tells listeners of the outermost call.
class ForwardCall {
 public:
  explicit ForwardCall(const torch::nn::Module& module);
  ~ForwardCall();
  ForwardCall(const ForwardCall&) = delete;
  ForwardCall& operator=(const ForwardCall&) = delete;

  template <class Value>
  std::decay_t<Value> input(Value&& value) const {
    return cast_to(inputs_, std::forward<Value>(value));
  }

  template <class Value>
  std::decay_t<Value> output(Value&& value) const {
    return cast_to(outputs_, std::forward<Value>(value));
  }

 private:
  template <class Value>
  static std::decay_t<Value> cast_to(std::optional<at::ScalarType> type, Value&& value) {
    if constexpr (IsCastable<std::decay_t<Value>>) {
      if (type) return cast_floating(value, *type);
    }
    return std::forward<Value>(value);
  }

  const torch::nn::Module* module_;
  ModuleScope scope_;
  std::optional<at::ScalarType> inputs_;
  std::optional<at::ScalarType> outputs_;
};

}  // namespace detail

/// Calls a model's forward as its opt level wants: at O2 and O3 floating inputs become half and outputs FP32 again, at
/// O0 both are FP32, at O1 nothing is cast here. A model that initialize() does not know is simply called.
template <IsModel Model, class... Args>
auto forward(Model& model, Args&&... args) {
  const detail::ForwardCall call(module_of(model));
  if constexpr (std::derived_from<Model, torch::nn::Module>) {
    return call.output(model.forward(call.input(std::forward<Args>(args))...));
  } else {
    return call.output(model->forward(call.input(std::forward<Args>(args))...));
  }
}

}  // namespace amp
