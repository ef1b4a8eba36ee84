// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/jit_type.h>

namespace ampprof::tensors {

/// Returns whether a schema's type is a tensor or a list of tensors.
inline bool is_tensor(const c10::TypePtr& type) {
  return type->isSubtypeOf(*c10::TensorType::get()) || type->isSubtypeOf(*c10::ListType::ofTensors());
}

}  // namespace ampprof::tensors
