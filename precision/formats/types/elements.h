// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "reports/records/dtype.h"

namespace ampprof::error {

/// Contiguous floating values in memory. Does not own them.
struct Elements {
  const void* data = nullptr;
  std::size_t size = 0;
  DType dtype = DType::Float;

  /// Returns `count` elements from index `start` on.
  Elements part(std::size_t start, std::size_t count) const {
    return {static_cast<const std::byte*>(data) + start * static_cast<std::size_t>(size_of(dtype)), count, dtype};
  }
};

}  // namespace ampprof::error
