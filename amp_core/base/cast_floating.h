// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/nn/utils/rnn.h>

#include <array>
#include <concepts>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "amp_core/base/reported_cast.h"

/// Casts the inputs and outputs of models, for amp::forward().
///
/// Floating tensors are cast (except double), also inside vectors, arrays, optionals, pairs, tuples, maps, shared
/// pointers and packed sequences, nested to any depth. Everything else is passed unchanged. To add a type of its own, a
/// program defines one function in the type's namespace:
///
///     struct Batch { at::Tensor image; at::Tensor label; };
///     Batch cast_floating(const Batch& batch, at::ScalarType type) {
///       return {amp::cast(batch.image, type), batch.label};
///     }
namespace amp {
namespace detail {

template <class Value>
concept HasOwnCast = requires(const Value& value) {
  { cast_floating(value, at::kHalf) } -> std::convertible_to<Value>;
};

/// Casts a value; specialized for each container.
template <class Value>
struct Caster {
  static constexpr bool holds_tensors = HasOwnCast<Value>;

  static Value cast(const Value& value, at::ScalarType type) requires holds_tensors {
    return cast_floating(value, type);
  }
};

/// Specialization for a forward that returns void.
template <>
struct Caster<void> {
  static constexpr bool holds_tensors = false;
};

template <class Value>
inline constexpr bool kHoldsTensors = Caster<Value>::holds_tensors;

/// Returns the value with its tensors cast, or a copy if it has none.
template <class Value>
Value cast_or_copy(const Value& value, at::ScalarType type) {
  if constexpr (kHoldsTensors<Value>) {
    return Caster<Value>::cast(value, type);
  } else {
    return value;
  }
}

template <>
struct Caster<at::Tensor> {
  static constexpr bool holds_tensors = true;

  static at::Tensor cast(const at::Tensor& tensor, at::ScalarType type) {
    const bool is_cast = tensor.defined() && tensor.is_floating_point() && tensor.scalar_type() != at::kDouble;
    return is_cast ? cast_input(tensor, type) : tensor;
  }
};

template <>
struct Caster<torch::nn::utils::rnn::PackedSequence> {
  using Packed = torch::nn::utils::rnn::PackedSequence;
  static constexpr bool holds_tensors = true;

  static Packed cast(const Packed& packed, at::ScalarType type) {
    return Packed(Caster<at::Tensor>::cast(packed.data(), type), packed.batch_sizes(), packed.sorted_indices(),
                  packed.unsorted_indices());
  }
};

template <class Value>
struct Caster<std::optional<Value>> {
  static constexpr bool holds_tensors = kHoldsTensors<Value>;

  static std::optional<Value> cast(const std::optional<Value>& value, at::ScalarType type) {
    return value ? std::optional<Value>(Caster<Value>::cast(*value, type)) : std::nullopt;
  }
};

/// Casts into a new object; other owners of the pointer keep the object with the original tensors.
template <class Value>
struct Caster<std::shared_ptr<Value>> {
  static constexpr bool holds_tensors = kHoldsTensors<std::remove_const_t<Value>>;

  static std::shared_ptr<Value> cast(const std::shared_ptr<Value>& value, at::ScalarType type) {
    return value ? std::make_shared<Value>(Caster<std::remove_const_t<Value>>::cast(*value, type)) : nullptr;
  }
};

template <class Value, class Allocator>
struct Caster<std::vector<Value, Allocator>> {
  static constexpr bool holds_tensors = kHoldsTensors<Value>;

  static std::vector<Value, Allocator> cast(const std::vector<Value, Allocator>& values, at::ScalarType type) {
    std::vector<Value, Allocator> cast;
    cast.reserve(values.size());
    for (const Value& value : values) cast.push_back(Caster<Value>::cast(value, type));
    return cast;
  }
};

template <class... Values>
struct Caster<std::tuple<Values...>> {
  static constexpr bool holds_tensors = (kHoldsTensors<std::remove_cvref_t<Values>> || ...);

  static std::tuple<Values...> cast(const std::tuple<Values...>& values, at::ScalarType type) {
    return std::apply([type](const Values&... each) { return std::tuple<Values...>(cast_or_copy(each, type)...); },
                      values);
  }
};

template <class First, class Second>
struct Caster<std::pair<First, Second>> {
  static constexpr bool holds_tensors = kHoldsTensors<First> || kHoldsTensors<Second>;

  static std::pair<First, Second> cast(const std::pair<First, Second>& values, at::ScalarType type) {
    return {cast_or_copy(values.first, type), cast_or_copy(values.second, type)};
  }
};

template <class Value, std::size_t size>
struct Caster<std::array<Value, size>> {
  static constexpr bool holds_tensors = kHoldsTensors<Value>;

  static std::array<Value, size> cast(const std::array<Value, size>& values, at::ScalarType type) {
    std::array<Value, size> cast = values;
    for (Value& value : cast) value = Caster<Value>::cast(value, type);
    return cast;
  }
};

/// Casts the values of std::map and std::unordered_map, not the keys.
template <class Map>
struct MapCaster {
  static constexpr bool holds_tensors = kHoldsTensors<typename Map::mapped_type>;

  static Map cast(const Map& values, at::ScalarType type) {
    Map cast = values;
    for (auto& [key, value] : cast) value = Caster<typename Map::mapped_type>::cast(value, type);
    return cast;
  }
};

template <class... Arguments>
struct Caster<std::map<Arguments...>> : MapCaster<std::map<Arguments...>> {};
template <class... Arguments>
struct Caster<std::unordered_map<Arguments...>> : MapCaster<std::unordered_map<Arguments...>> {};

}  // namespace detail

/// Returns the value with its floating tensors cast to `type`; FP64 is left alone. Returns a copy of a value that holds
/// no tensors. For use in a program's own cast_floating().
template <class Value>
Value cast(const Value& value, at::ScalarType type) {
  return detail::cast_or_copy(value, type);
}

}  // namespace amp
