// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/records/dtype.h"

namespace ampprof::error {

/// Parameters of the spacing of a floating type: ulp(r) = 2^(max(exponent of r, min_exponent) - mantissa_bits).
struct Spacing {
  int mantissa_bits;
  int min_exponent;

  bool operator==(const Spacing&) const = default;
};

/// Returns the spacing of a floating type; that of FP32 for other types. FP64 has min_exponent -900, so that sums of
/// errors in ulp stay finite.
Spacing spacing_of(DType dtype);

}  // namespace ampprof::error
