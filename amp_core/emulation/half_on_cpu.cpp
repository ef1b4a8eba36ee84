// SPDX-License-Identifier: Apache-2.0
#include "amp_core/emulation/half_on_cpu.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <mutex>
#include <set>
#include <string>

#include "amp_core/emulation/emulated_kernel.h"
#include "amp_core/emulation/half_ops.h"
#include "amp_core/torch_hooks/replaced_kernel.h"

namespace amp {
namespace {

/// Visits every overload of the named ops.
template <class Visit>
void for_each_overload(const std::set<std::string>& names, Visit&& visit) {
  auto& dispatcher = c10::Dispatcher::singleton();
  for (const auto& name : dispatcher.getAllOpNames()) {
    if (names.contains(name.name)) visit(*dispatcher.findSchema(name));
  }
}

void emulate_slow_ones() {
  for (const EmulatedOp& emulated : slow_half_ops()) {
    const auto op = c10::Dispatcher::singleton().findSchemaOrThrow(emulated.name, emulated.overload);
    override_kernel<EmulatedKernel>(op, emulated.key, op.schema(), emulated);
  }
}

void emulate_missing_ones() {
  for_each_overload({missing_half_ops().begin(), missing_half_ops().end()}, [](const c10::OperatorHandle& op) {
    if (!op.hasComputedKernelForDispatchKey(c10::DispatchKey::CPU)) return;
    override_kernel<EmulatedKernel>(op, c10::DispatchKey::CPU, op.schema(), EmulatedOp{op.schema().name().c_str()});
  });
}

/// Emulates composite ops. A kernel at the CPU's key would hide their gradients, so EmulatedKernel replaces LibTorch's
/// composite kernel: EmulatedKernel casts and calls the replaced kernel, and autograd differentiates both steps.
/// EmulatedKernel thus runs for all devices, but casts only CPU tensors.
void emulate_missing_composite_ones() {
  const auto names = missing_composite_half_ops();
  for_each_overload({names.begin(), names.end()}, [](const c10::OperatorHandle& op) {
    override_composite_kernel<EmulatedKernel>(op, op.schema(), EmulatedOp{op.schema().name().c_str()});
  });
}

void refuse_others() {
  for (const RefusedOp& refused : refused_half_ops()) {
    for_each_overload({refused.name}, [&](const c10::OperatorHandle& op) {
      if (!op.hasComputedKernelForDispatchKey(c10::DispatchKey::CPU)) return;
      override_kernel<RefusingKernel>(op, c10::DispatchKey::CPU, op.schema(), refused);
    });
  }
}

}  // namespace

void emulate_half_on_cpu() {
  static std::once_flag once;
  std::call_once(once, [] {
    emulate_slow_ones();
    emulate_missing_ones();
    emulate_missing_composite_ones();
    refuse_others();
  });
}

}  // namespace amp
