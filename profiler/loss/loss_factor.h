// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

namespace ampprof::profiler {

/// The number that a loss was multiplied by before its backward, as far as the multiplication tells.
struct LossFactor {
  const void* tensor = nullptr;      ///< identity of the scalar tensor; null for a number of the program's
  std::optional<double> value = {};  ///< empty where it lies on a device
};

}  // namespace ampprof::profiler
