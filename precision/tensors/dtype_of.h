// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/ScalarType.h>

#include <optional>

#include "reports/records/dtype.h"

namespace at {
class Tensor;
}

namespace ampprof::tensors {

/// Returns the element type of a defined tensor; Unknown for types that reports do not have.
DType dtype_of(const at::Tensor& tensor);
DType dtype_of(c10::ScalarType type);

/// Returns LibTorch's type for a DType; empty for Unknown, and for Complex, which covers several types.
std::optional<c10::ScalarType> scalar_type_of(DType dtype);

}  // namespace ampprof::tensors
