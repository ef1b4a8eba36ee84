// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

#include <memory>
#include <optional>
#include <utility>

namespace amp {

/// The kernel that an operator had at a dispatch key before ours took its place.
class ReplacedKernel {
 public:
  ReplacedKernel(const c10::OperatorHandle& op, c10::DispatchKey key);

  /// Runs it; where there was none, goes on with the next key.
  void call(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) const {
    if (kernel_) {
      kernel_->callBoxed(op, keys, stack);
    } else {
      go_below(op, keys, stack);
    }
  }

  /// Goes on with the next key, as if the replaced kernel were not there.
  void go_below(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) const {
    op.redispatchBoxed(keys & below_, stack);
  }

 private:
  c10::DispatchKeySet below_;
  std::optional<c10::SafeKernelFunction> kernel_;
};

/// Puts `kernel` at `key` of an operator until the process ends. LibTorch's warning about it is not shown. Thread-safe,
/// but LibTorch wants no call of this op under way at this key.
void override_kernel(const c10::OperatorHandle& op, c10::DispatchKey key, c10::KernelFunction kernel);

/// Puts `kernel` in place of the one that an op made of other ops has for all devices, likewise.
void override_composite_kernel(const c10::OperatorHandle& op, c10::KernelFunction kernel);

/// Replaces a kernel by a boxed functor, made from the kernel that it replaces and `arguments`.
template <class Functor, class... Arguments>
void override_kernel(const c10::OperatorHandle& op, c10::DispatchKey key, Arguments&&... arguments) {
  auto functor = std::make_unique<Functor>(ReplacedKernel(op, key), std::forward<Arguments>(arguments)...);
  override_kernel(op, key, c10::KernelFunction::makeFromBoxedFunctor(std::move(functor)));
}

/// Likewise. `replaced` calls LibTorch's own; there is nothing to go below.
template <class Functor, class... Arguments>
void override_composite_kernel(const c10::OperatorHandle& op, Arguments&&... arguments) {
  auto functor =
      std::make_unique<Functor>(ReplacedKernel(op, c10::DispatchKey::CPU), std::forward<Arguments>(arguments)...);
  override_composite_kernel(op, c10::KernelFunction::makeFromBoxedFunctor(std::move(functor)));
}

}  // namespace amp
