// SPDX-License-Identifier: Apache-2.0
#include "amp_core/base/reported_cast.h"

#include <chrono>

#include "amp_core/base/listeners.h"

namespace amp {
namespace {

using Clock = std::chrono::steady_clock;

std::int64_t nanoseconds_since(Clock::time_point begun) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begun).count();
}

/// Tells whether a tensor is traced: it has the Python key or symbolic sizes. Casts of traced tensors write no memory.
bool is_traced(const at::Tensor& tensor) {
  return tensor.key_set().has(c10::DispatchKey::Python) || tensor.unsafeGetTensorImpl()->has_symbolic_sizes_strides();
}

}  // namespace

at::Tensor reported_cast(const at::Tensor& tensor, at::ScalarType type) {
  if (!anyone_listens()) return tensor.to(type);
  const auto begun = Clock::now();
  at::Tensor copy = tensor.to(type);
  if (copy.is_same(tensor) || is_traced(copy)) return copy;
  const InsertedCast cast{.from = tensor.scalar_type(),
                          .to = type,
                          .bytes = static_cast<std::int64_t>(copy.nbytes()),
                          .duration_ns = nanoseconds_since(begun)};
  tell([&](Listener& listener) { listener.cast_inserted(cast); });
  return copy;
}

at::Tensor cast_input(const at::Tensor& tensor, at::ScalarType type) {
  at::Tensor copy = reported_cast(tensor, type);
  if (!copy.is_same(tensor)) tell([&](Listener& listener) { listener.input_cast(tensor, copy); });
  return copy;
}

}  // namespace amp
