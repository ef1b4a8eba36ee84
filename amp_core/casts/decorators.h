// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <tuple>
#include <utility>

#include "amp_core/base/cast_floating.h"
#include "amp_core/policy/cast_rule.h"

namespace amp {
namespace detail {

/// The floating types among the arguments of a call.
struct TypesSeen {
  bool low = false;
  bool fp32 = false;

  void note(const at::Tensor& tensor);

  /// Records the types of the tensors in an iterable, optional or tuple.
  template <class Value>
  void note(const Value& value) {
    if constexpr (requires {
                    value.begin();
                    value.end();
                  }) {
      for (const auto& each : value) note(each);
    } else if constexpr (requires {
                           value.has_value();
                           *value;
                         }) {
      if (value.has_value()) note(*value);
    } else if constexpr (requires { std::tuple_size<Value>::value; }) {
      std::apply([&](const auto&... each) { (note(each), ...); }, value);
    }
  }
};

/// Returns the type to which a decorated function's arguments are cast; empty while casts are not in force. For
/// Promote, also empty unless both low and FP32 arguments were seen.
std::optional<at::ScalarType> decorated_type(CastPolicy policy, const TypesSeen& seen);

/// Returns the argument, cast to `type` if `type` is not empty.
template <class Value>
decltype(auto) decorated_argument(std::optional<at::ScalarType> type, Value&& value) {
  if constexpr (kHoldsTensors<std::decay_t<Value>>) {
    return type ? cast<std::decay_t<Value>>(value, *type) : std::decay_t<Value>(std::forward<Value>(value));
  } else {
    return std::forward<Value>(value);
  }
}

template <class Function>
auto decorated(CastPolicy policy, Function function) {
  return [policy, function = std::move(function)]<class... Args>(Args&&... args) -> decltype(auto) {
    TypesSeen seen;
    if (policy == CastPolicy::Promote) (seen.note(args), ...);
    const auto type = decorated_type(policy, seen);
    return function(decorated_argument(type, std::forward<Args>(args))...);
  };
}

}  // namespace detail

/// Returns a function that casts its floating tensors, also those in containers, to the low type, and then calls
/// `function`. Functions that `function` calls are cast by the policy as usual. Casts nothing while casts are not in
/// force. Use it for functions of the program, such as a custom autograd function:
///
///     const auto fast = amp::half_function([](const at::Tensor& x) { return MyFunction::apply(x); });
template <class Function>
auto half_function(Function function) {
  return detail::decorated(CastPolicy::Low, std::move(function));
}
/// Returns a function that casts to FP32; otherwise like half_function().
template <class Function>
auto float_function(Function function) {
  return detail::decorated(CastPolicy::Fp32, std::move(function));
}
/// Returns a function that casts its tensors to FP32 if some are FP32 and some low; otherwise it casts none. Like
/// half_function() in all else.
template <class Function>
auto promote_function(Function function) {
  return detail::decorated(CastPolicy::Promote, std::move(function));
}

}  // namespace amp
