// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/records/dtype.h"

namespace at {
class Tensor;
}

namespace ampprof {

/// Element type of a defined tensor; Unknown where reports have no name for it.
DType dtype_of(const at::Tensor& tensor);

}  // namespace ampprof
