// SPDX-License-Identifier: Apache-2.0
#include "precision/reference/quiet.h"

namespace ampprof {
namespace {

constexpr auto kAside =
    c10::autocast_dispatch_keyset |
    c10::DispatchKeySet({c10::DispatchKey::TESTING_ONLY_GenericMode, c10::DispatchKey::TESTING_ONLY_GenericWrapper,
                         c10::DispatchKey::PythonDispatcher, c10::DispatchKey::PreDispatch,
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

}  // namespace

Quiet::Quiet() : excluded_(kAside), no_warnings_(drop_warnings()) {}

}  // namespace ampprof
