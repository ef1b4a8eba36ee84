// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/record_function.h>
#include <c10/core/GradMode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/util/Exception.h>

namespace ampprof {

/// While it lives, ops of this thread run as kernels only: no autograd, no casts, no Python or functorch mode, no
/// observer, tracer or profiler sees them, version counters stand still, and warnings are dropped. Must die on its thread.
class [[nodiscard]] Quiet {
 public:
  Quiet();
  ~Quiet();
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  at::NoGradGuard no_grad_;
  at::AutoDispatchBelowADInplaceOrView below_autograd_;
  c10::impl::ExcludeDispatchKeyGuard excluded_;
  at::DisableRecordFunctionGuard no_profiler_;
  c10::WarningUtils::WarningHandlerGuard no_warnings_;
};

/// Is told on its thread when a Quiet begins its life (true) and when it ends; they nest. Null, as at first: nobody.
using QuietListener = void (*)(bool begins);
void set_quiet_listener(QuietListener listener);

}  // namespace ampprof
