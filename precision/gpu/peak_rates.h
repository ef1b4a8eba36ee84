// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "precision/gpu/device_caps.h"

namespace ampprof::gpu {

/// Peak rates of a GPU according to its manufacturer, for dense matmuls with FP32 accumulation and for memory.
struct PeakRates {
  std::string_view name;
  int sm = 0;         ///< compute capability times 10
  double tf32 = 0.0;  ///< in 10^12 multiplications and additions per second, like the next three; 0 if unsupported
  double half = 0.0;  ///< FP16 and BF16
  double fp8 = 0.0;   ///< also for block-scaled types
  double fp4 = 0.0;
  double gb_per_s = 0.0;  ///< memory bandwidth in 10^9 bytes per second
  std::string_view source = {};
};

/// Returns the rates of a GPU. For an unknown GPU, returns those of the first known GPU of the same compute capability,
/// with the name of that GPU. Empty if there is none.
std::optional<PeakRates> peak_rates(const DeviceCaps& device);

}  // namespace ampprof::gpu
