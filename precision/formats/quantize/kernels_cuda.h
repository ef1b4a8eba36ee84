// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <string>

#include "precision/formats/quantize/quantize.h"

namespace ampprof::quantize::cuda {

/// OperandRounding in device memory, all zero at the start. Each launch adds to it.
struct DeviceStatistics {
  unsigned long long count;
  unsigned long long nonfinite;
  unsigned long long flushed;
  unsigned long long saturated;
  double sum_sq;
  double sum_sq_error;
  unsigned amax;  ///< bits of a nonnegative float; integers in this form have the order of the floats
};

inline OperandRounding statistics_from(const DeviceStatistics& found) {
  return {.count = static_cast<std::int64_t>(found.count),
          .nonfinite = static_cast<std::int64_t>(found.nonfinite),
          .flushed = static_cast<std::int64_t>(found.flushed),
          .saturated = static_cast<std::int64_t>(found.saturated),
          .amax = static_cast<double>(std::bit_cast<float>(found.amax)),
          .sum_sq = found.sum_sq,
          .sum_sq_error = found.sum_sq_error};
}

/// Does what cpu::quantize() does, on a GPU, with the same bits. Sums are in double, in no fixed order. Launches one
/// kernel without waiting. Matrices, `amax` and `into` are in memory of `device`, and are ready in the order of
/// `stream`, a cudaStream_t of that device.
///
/// `amax` replaces Settings::amax, which is ignored: null if the scale needs none, 0 for a delayed scale without
/// history. Returns "" on success, else CUDA's error for the launch, or why there is no kernel for the operand: without
/// a scale it needs only a cast, and a transform supports only blocks of 16.
std::string launch_quantize(const Matrix& from, Output to, const recipes::Operand& operand,
                            recipes::Direction direction, const Settings& settings, const float* amax,
                            DeviceStatistics* into, int device, void* stream);

/// Raises `largest`, a float that is 0 at the start, to the value of cpu::amax().
std::string launch_amax(const Matrix& from, const recipes::Operand& operand, recipes::Direction direction,
                        const Settings& settings, float* largest, int device, void* stream);

}  // namespace ampprof::quantize::cuda
