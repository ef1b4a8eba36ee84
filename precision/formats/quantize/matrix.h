// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "reports/records/dtype.h"

namespace ampprof::quantize {

/// A row-major matrix; does not own its memory. `stride` is the distance between two rows in elements, at least
/// `columns`.
struct Matrix {
  const void* data = nullptr;
  DType dtype = DType::Float;  ///< Float or BFloat16
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t stride = 0;
};

/// Destination: an FP32 matrix of the same sizes that does not overlap the source.
struct Output {
  float* data = nullptr;
  std::int64_t stride = 0;
};

}  // namespace ampprof::quantize
