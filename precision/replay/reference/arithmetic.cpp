// SPDX-License-Identifier: Apache-2.0
#include "precision/replay/reference/arithmetic.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include "precision/replay/reference/fp32_mode.h"

namespace ampprof::reference {

Replay replay(const c10::OperatorHandle& op, const SavedCall& saved, c10::ArrayRef<c10::IValue> returned,
              const Arithmetic& arithmetic) {
  const at::ScalarType precision = unshortened(op.operator_name().name, saved.arguments, arithmetic.precision());
  return replay(op, saved, returned, [&](const c10::Argument& argument, const c10::IValue& value) {
    return arithmetic.convert(argument, value, precision);
  });
}

}  // namespace ampprof::reference
