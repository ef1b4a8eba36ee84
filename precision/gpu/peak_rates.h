// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "precision/gpu/device_caps.h"

namespace ampprof::gpu {

/// The fastest that a GPU multiplies matrices and moves memory, as its maker says: dense, sums in FP32.
struct PeakRates {
  std::string_view name;
  int sm = 0;         ///< compute capability times 10
  double tf32 = 0.0;  ///< in 10^12 multiplications and additions a second, as the next; 0: it has none
  double half = 0.0;  ///< FP16 and BF16
  double fp8 = 0.0;   ///< in blocks under scales too
  double fp4 = 0.0;
  double gb_per_s = 0.0;  ///< of memory, in 10^9 bytes
  std::string_view source = {};
};

/// Returns the rates of a GPU, or of another of its compute capability, the first that is known, under that one's name.
/// Empty where none is known.
std::optional<PeakRates> peak_rates(const DeviceCaps& device);

}  // namespace ampprof::gpu
