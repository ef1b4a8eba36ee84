// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

namespace ampprof {

/// Returns the op of LibTorch with this name, such as "aten::mm".
inline c10::OperatorHandle op_named(const char* name, const char* overload = "") {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name, overload);
}

}  // namespace ampprof
