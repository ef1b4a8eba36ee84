// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>

namespace ampprof::variant {

/// Tells whether an op may use a variant's integers instead of the program's: indices must lie in the table. On a GPU
/// an index outside would end the process. `own` are the arguments of the variant's call. If the op's table is unknown
/// here, the indices must lie between the program's smallest and largest. Waits for a GPU.
bool indices_fit(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments, c10::ArrayRef<c10::IValue> own);

}  // namespace ampprof::variant
