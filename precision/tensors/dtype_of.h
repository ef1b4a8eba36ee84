// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/ScalarType.h>

#include <optional>

#include "reports/records/dtype.h"

namespace at {
class Tensor;
}

namespace ampprof::tensors {

/// Returns the element type of a defined tensor; Unknown if reports have no name for it.
DType dtype_of(const at::Tensor& tensor);
DType dtype_of(c10::ScalarType type);

/// Returns LibTorch's type for a number type; empty for Unknown and for Complex, which has several.
std::optional<c10::ScalarType> scalar_type_of(DType dtype);

}  // namespace ampprof::tensors
