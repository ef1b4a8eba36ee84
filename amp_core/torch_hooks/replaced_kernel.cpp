// SPDX-License-Identifier: Apache-2.0
#include "amp_core/torch_hooks/replaced_kernel.h"

#include <mutex>
#include <vector>

namespace amp {
namespace {

class Silence : public c10::WarningHandler {
 public:
  void process(const c10::Warning&) override {}
};

/// Returns the handles of registered kernels. Never destroyed: removing kernels at process exit would race with
/// LibTorch's own shutdown.
std::vector<c10::RegistrationHandleRAII>& registrations() {
  static auto* const handles = new std::vector<c10::RegistrationHandleRAII>();
  return *handles;
}

void register_kernel(const c10::OperatorHandle& op, c10::DispatchKey key, c10::KernelFunction kernel) {
  Silence silence;
  c10::WarningUtils::WarningHandlerGuard guard(&silence);
  auto registration = c10::Dispatcher::singleton().registerImpl(op.operator_name(), key, std::move(kernel),
                                                                std::nullopt, nullptr, "amp_core");
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  registrations().push_back(std::move(registration));
}

}  // namespace

ReplacedKernel::ReplacedKernel(const c10::OperatorHandle& op, c10::DispatchKey key)
    : below_(c10::DispatchKeySet::FULL_AFTER, key) {
  const bool is_backend = key == c10::DispatchKey::CPU || key == c10::DispatchKey::SparseCPU;
  const bool is_there = is_backend ? op.hasComputedKernelForDispatchKey(key)
                                   : op.hasKernelForDispatchKey(key) && !op.isKernelFallthroughKernel(key);
  if (is_there) kernel_.emplace(op.getComputedKernelForDispatchKey(key));
}

void override_kernel(const c10::OperatorHandle& op, c10::DispatchKey key, c10::KernelFunction kernel) {
  register_kernel(op, key, std::move(kernel));
}

void override_composite_kernel(const c10::OperatorHandle& op, c10::KernelFunction kernel) {
  register_kernel(op, c10::DispatchKey::CompositeImplicitAutograd, std::move(kernel));
}

}  // namespace amp
