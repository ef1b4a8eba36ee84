// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace ampprof {

inline constexpr std::size_t kSketchSums = 64;

/// A short summary of the outputs of one op call, linear in their values. The distance of two sketches estimates the
/// distance of the outputs, ||y_A - y_B||, with a relative standard deviation of sqrt(1 / (2 * 64)) = 9 %. The method
/// is CountSketch: Charikar, Chen, Farach-Colton, "Finding frequent items in data streams", 2002. precision/sketch/
/// computes sketches.
struct Sketch {
  std::int64_t segment = 0;
  std::int64_t call_site = 0;
  std::int64_t inputs = 0;     ///< checksum of the bits of all inputs
  std::int64_t elements = 0;   ///< elements of all outputs
  std::int64_t nonfinite = 0;  ///< number of NaN and inf in the outputs, left out of the sums
  std::int64_t checksum = 0;   ///< checksum of the bits of the outputs
  double sum_sq = 0.0;         ///< ||y||^2
  std::array<double, kSketchSums> sums{};

  bool operator==(const Sketch&) const = default;
};

/// Returns the estimate of ||y_A - y_B||; meaningless for outputs of different sizes.
double distance(const Sketch& a, const Sketch& b);

}  // namespace ampprof
