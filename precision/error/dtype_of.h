// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/ScalarType.h>

#include "reports/records/dtype.h"

namespace at {
class Tensor;
}

namespace ampprof {

/// Element type of a defined tensor; Unknown where reports have no name for it.
DType dtype_of(const at::Tensor& tensor);
DType dtype_of(c10::ScalarType type);

}  // namespace ampprof
