// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

#include <memory>
#include <optional>
#include <utility>

namespace amp {

/// The kernel that an operator had at a dispatch key before amp_core replaced it.
class ReplacedKernel {
 public:
  ReplacedKernel(const c10::OperatorHandle& op, c10::DispatchKey key);

  /// Runs the replaced kernel; if there was none, redispatches to the next key.
  void call(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) const {
    if (kernel_) {
      kernel_->callBoxed(op, keys, stack);
    } else {
      redispatch_to_next_key(op, keys, stack);
    }
  }

  /// Redispatches to the next key without running the replaced kernel.
  void redispatch_to_next_key(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) const {
    op.redispatchBoxed(keys & below_, stack);
  }

 private:
  c10::DispatchKeySet below_;
  std::optional<c10::SafeKernelFunction> kernel_;
};

/// Registers `kernel` at `key` of an operator until the process ends, without LibTorch's warning. Thread-safe, but no
/// call of this op at this key may be running.
void override_kernel(const c10::OperatorHandle& op, c10::DispatchKey key, c10::KernelFunction kernel);

/// Replaces the kernel of a composite op for all devices, under the conditions of override_kernel().
void override_composite_kernel(const c10::OperatorHandle& op, c10::KernelFunction kernel);

/// Replaces a kernel by a boxed functor, constructed from the replaced kernel and `arguments`.
template <class Functor, class... Arguments>
void override_kernel(const c10::OperatorHandle& op, c10::DispatchKey key, Arguments&&... arguments) {
  auto functor = std::make_unique<Functor>(ReplacedKernel(op, key), std::forward<Arguments>(arguments)...);
  override_kernel(op, key, c10::KernelFunction::makeFromBoxedFunctor(std::move(functor)));
}

/// Replaces a composite kernel by a boxed functor in the same way. Its ReplacedKernel calls LibTorch's composite
/// kernel; there is no lower key.
template <class Functor, class... Arguments>
void override_composite_kernel(const c10::OperatorHandle& op, Arguments&&... arguments) {
  auto functor =
      std::make_unique<Functor>(ReplacedKernel(op, c10::DispatchKey::CPU), std::forward<Arguments>(arguments)...);
  override_composite_kernel(op, c10::KernelFunction::makeFromBoxedFunctor(std::move(functor)));
}

}  // namespace amp
