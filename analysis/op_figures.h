// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "reports/queries/queries.h"

namespace ampprof::analysis {

inline constexpr double kLargestHalf = 65504;  ///< of FP16

/// Returns the largest magnitude among an op's outputs and their references.
double largest_of(const RangeStats& ranges);

/// Returns the powers of two from the largest value of the outputs up to 65504, less than 0 where it is passed; empty
/// where no value tells.
std::optional<double> headroom_of(const queries::OpRow& op);

/// Orders the larger of two local errors first: not finite, then by size; rows without a local error last.
bool has_larger_error(const queries::OpRow& a, const queries::OpRow& b);

}  // namespace ampprof::analysis
