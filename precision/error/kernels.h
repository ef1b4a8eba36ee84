// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "precision/error/measured.h"
#include "reports/records/dtype.h"

namespace ampprof {

/// What fixes the spacing of a floating type: ulp(r) = 2^(max(exponent of r, min_exponent) - mantissa_bits).
struct Spacing {
  int mantissa_bits;
  int min_exponent;
};

/// Spacing of a floating type; that of FP32 for any other. FP64 counts as if its exponents ended at -900, so that sums
/// of errors in ulp stay finite.
Spacing spacing_of(DType dtype);

namespace cpu {

/// Compares an output as executed with its reference, element by element. Both spans have the same size. Values of half
/// types are exact in float, so they come widened; `output_dtype` is the type they had, whose ulp is meant.
Measured measure(std::span<const float> output, std::span<const float> reference, DType output_dtype);
Measured measure(std::span<const float> output, std::span<const double> reference, DType output_dtype);
Measured measure(std::span<const double> output, std::span<const float> reference, DType output_dtype);
Measured measure(std::span<const double> output, std::span<const double> reference, DType output_dtype);

/// Ranges alone: the output is its own reference.
Measured measure_ranges(std::span<const float> output);
Measured measure_ranges(std::span<const double> output);

/// Bit patterns of half types to float, exactly. `to` has room for all of `from`.
void widen_half(std::span<const std::uint16_t> from, float* to);
void widen_bfloat16(std::span<const std::uint16_t> from, float* to);

}  // namespace cpu
}  // namespace ampprof
