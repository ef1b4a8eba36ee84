// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/ScalarType.h>

namespace amp {

/// FP16 or BF16: the types that mixed precision computes in, and keeps FP32 copies of.
inline bool is_reduced(at::ScalarType type) { return type == at::kHalf || type == at::kBFloat16; }

}  // namespace amp
