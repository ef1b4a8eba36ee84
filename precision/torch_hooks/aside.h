// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/DispatchKeySet.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

namespace ampprof::torch_hooks {

/// While an instance lives, ops on this thread run without autograd, casts and all modes that observe the program. Does
/// the same as amp::Aside, which formats/ cannot include. Must be destroyed on the thread that created it.
class [[nodiscard]] Aside {
 public:
  Aside() : keys_(c10::default_included_set, c10::default_excluded_set | c10::autograd_dispatch_keyset) {}
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;

 private:
  c10::impl::ForceDispatchKeyGuard keys_;
};

}  // namespace ampprof::torch_hooks
