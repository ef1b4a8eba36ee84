// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/DispatchKeySet.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

namespace amp {

/// In its scope, ops on this thread run without autograd, casts or any mode that observes the program: for ops that
/// amp_core itself calls, not the program. Destroy the guard on the thread that created it.
class [[nodiscard]] Aside {
 public:
  Aside() : keys_(c10::default_included_set, c10::default_excluded_set | c10::autograd_dispatch_keyset) {}
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;

 private:
  c10::impl::ForceDispatchKeyGuard keys_;
};

}  // namespace amp
