// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/record_function.h>
#include <c10/core/GradMode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/util/Exception.h>

namespace ampprof::tensors {

/// While it lives, ops of this thread run as kernels only: no autograd, no casts, no Python or functorch mode, no
/// observer, tracer or profiler sees them, version counters stand still, and warnings are dropped. Must die on its thread.
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

/// Within an ObserverDisabledGuard: autograd records what runs, for a backward of ampprof's own. The program's hooks on
/// saved tensors do not see it. Must die on its thread.
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

/// Is told on its thread when a ObserverDisabledGuard begins its life (true) and when it ends; they nest. Null, as at
/// first: nobody.
using ObserverGuardListener = void (*)(bool begins);
void set_observer_guard_listener(ObserverGuardListener listener);

}  // namespace ampprof::tensors
