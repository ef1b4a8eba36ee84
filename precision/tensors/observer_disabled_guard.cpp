// SPDX-License-Identifier: Apache-2.0
#include "precision/tensors/observer_disabled_guard.h"

#include <ATen/SavedTensorHooks.h>

#include <atomic>

namespace ampprof::tensors {
namespace {

constexpr auto kAside =
    c10::autocast_dispatch_keyset |
    c10::DispatchKeySet({c10::DispatchKey::TESTING_ONLY_GenericMode, c10::DispatchKey::TESTING_ONLY_GenericWrapper,
                         c10::DispatchKey::PythonDispatcher, c10::DispatchKey::PreDispatch, c10::DispatchKey::Tracer,
                         c10::DispatchKey::PythonTLSSnapshot, c10::DispatchKey::Python,
                         c10::DispatchKey::FuncTorchDynamicLayerFrontMode,
                         c10::DispatchKey::FuncTorchDynamicLayerBackMode});

class DropWarnings : public c10::WarningHandler {
 public:
  void process(const c10::Warning& /*warning*/) override {}
};

c10::WarningHandler* drop_warnings() {
  static DropWarnings handler;
  return &handler;
}

std::atomic<ObserverGuardListener> g_listener{nullptr};

void tell(bool begins) {
  if (const ObserverGuardListener listener = g_listener.load(std::memory_order_relaxed)) listener(begins);
}

}  // namespace

ObserverDisabledGuard::ObserverDisabledGuard() : excluded_(kAside), no_warnings_(drop_warnings()) { tell(true); }
ObserverDisabledGuard::~ObserverDisabledGuard() { tell(false); }

// Disables hooks on saved tensors, as LibTorch does while it traces a graph.
OwnGraphGuard::OwnGraphGuard()
    : keys_(c10::impl::tls_local_dispatch_key_set().included_,
            c10::impl::tls_local_dispatch_key_set().excluded_ - c10::autograd_dispatch_keyset_with_ADInplaceOrView),
      hooks_were_off_(at::SavedTensorDefaultHooks::set_tracing(true)) {}
OwnGraphGuard::~OwnGraphGuard() { at::SavedTensorDefaultHooks::set_tracing(hooks_were_off_); }

void set_observer_guard_listener(ObserverGuardListener listener) {
  g_listener.store(listener, std::memory_order_relaxed);
}

}  // namespace ampprof::tensors
