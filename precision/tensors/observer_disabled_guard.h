// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/record_function.h>
#include <c10/core/GradMode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/util/Exception.h>

namespace ampprof::tensors {

/// While an instance lives, ops on this thread run as kernels only. Autograd, casts, Python and functorch modes,
/// observers, tracers and profilers do not see them; version counters do not change, and warnings are dropped. Must be
/// destroyed on the thread that created it.
class [[nodiscard]] ObserverDisabledGuard {
 public:
  ObserverDisabledGuard();
  ~ObserverDisabledGuard();
  ObserverDisabledGuard(const ObserverDisabledGuard&) = delete;
  ObserverDisabledGuard& operator=(const ObserverDisabledGuard&) = delete;

 private:
  at::NoGradGuard no_grad_;
  at::AutoDispatchBelowADInplaceOrView below_autograd_;
  c10::impl::ExcludeDispatchKeyGuard excluded_;
  at::DisableRecordFunctionGuard no_profiler_;
  c10::WarningUtils::WarningHandlerGuard no_warnings_;
};

/// Inside an ObserverDisabledGuard, lets autograd record ops for a backward by ampprof. The program's hooks on saved
/// tensors do not see them. Must be destroyed on the thread that created it.
class [[nodiscard]] OwnGraphGuard {
 public:
  OwnGraphGuard();
  ~OwnGraphGuard();
  OwnGraphGuard(const OwnGraphGuard&) = delete;
  OwnGraphGuard& operator=(const OwnGraphGuard&) = delete;

 private:
  c10::AutoGradMode grad_{true};
  c10::impl::ForceDispatchKeyGuard keys_;
  bool hooks_were_off_;
};

/// Called on the guard's thread when an ObserverDisabledGuard begins (true) and when it is destroyed (false); guards
/// nest. Null (the default) disables it.
using ObserverGuardListener = void (*)(bool begins);
void set_observer_guard_listener(ObserverGuardListener listener);

}  // namespace ampprof::tensors
