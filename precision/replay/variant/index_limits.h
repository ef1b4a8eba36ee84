// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>

namespace ampprof::variant {

/// Tells whether an op may use a variant's integers instead of the program's: indices must be valid for the table,
/// since an invalid index on a GPU would kill the process. `own` are the arguments of the variant's call. If the size
/// of the op's table is unknown, the indices must lie between the program's smallest and largest index. Waits for a
/// GPU.
bool indices_fit(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments, c10::ArrayRef<c10::IValue> own);

}  // namespace ampprof::variant
