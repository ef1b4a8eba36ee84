// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>

namespace ampprof::variant {

/// Whether an op may be given integers of a variant in place of the program's: those that it looks up lie in its table.
/// On a GPU an index outside of it would end the process. `own` has the arguments of the variant's call. They must
/// lie between the program's where the table of the op is not known here. Waits for a GPU.
bool indices_fit(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments, c10::ArrayRef<c10::IValue> own);

}  // namespace ampprof::variant
