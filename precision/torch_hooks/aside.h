// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/DispatchKeySet.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

namespace ampprof::torch_hooks {

/// While it lives, ops of this thread run without autograd, casts or any mode that watches the program, like
/// amp::Aside; formats cannot include amp_core. Destroy it on its thread.
class [[nodiscard]] Aside {
 public:
  Aside() : keys_(c10::default_included_set, c10::default_excluded_set | c10::autograd_dispatch_keyset) {}
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;

 private:
  c10::impl::ForceDispatchKeyGuard keys_;
};

}  // namespace ampprof::torch_hooks
