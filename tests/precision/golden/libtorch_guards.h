#include <ATen/ATen.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

inline at::Tensor widened(const at::Tensor& value) {
  const bool is_half = value.defined() && (value.scalar_type() == at::kHalf || value.scalar_type() == at::kBFloat16);
  return is_half ? value.to(at::kFloat) : value;
}
inline std::optional<at::Tensor> widened(const std::optional<at::Tensor>& value) {
  return value ? std::optional(widened(*value)) : value;
}
inline std::vector<at::Tensor> widened(const std::vector<at::Tensor>& values) {
  std::vector<at::Tensor> wide;
  for (const at::Tensor& value : values) wide.push_back(widened(value));
  return wide;
}
template <class Value>
const Value& widened(const Value& value) {
  return value;
}

/// Runs a function outside autocast, on FP32 copies of its half arguments.
template <class Function, class... Arguments>
auto in_float32(const Function& function, const Arguments&... arguments) {
  const c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::autocast_dispatch_keyset);
  return function(widened(arguments)...);
}

// it overflows.
inline constexpr auto matmul_in_float32 = [](const auto&... arguments) {
  return in_float32([](const auto&... wide) { return at::matmul(wide...); }, arguments...);
};
// it overflows.
inline constexpr auto linear_in_float32 = [](const auto&... arguments) {
  return in_float32([](const auto&... wide) { return at::linear(wide...); }, arguments...);
};
// it overflows.
// linear_in_float32, as above
// it overflows.
inline constexpr auto cat_in_float32 = [](const auto&... arguments) {
  return in_float32([](const auto&... wide) { return at::cat(wide...); }, arguments...);
};
