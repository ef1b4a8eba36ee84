// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "reports/records/statistics.h"

namespace ampprof::queries {
struct OpRow;
}

namespace ampprof::analysis {

inline constexpr double kLargestHalf = 65504;  ///< of FP16

/// Returns the largest magnitude among an op's outputs and their references.
double largest_of(const RangeStats& ranges);

/// Returns the powers of two from the largest value of the outputs up to 65504, less than 0 where it is passed; empty
/// where no value tells.
std::optional<double> headroom_of(const queries::OpRow& op);

/// Orders the larger of two local errors first: not finite, then by size; rows without a local error last.
bool has_larger_error(const queries::OpRow& a, const queries::OpRow& b);

/// Orders first what matters more: an error that is not finite, then by what it does to the loss, then, of those where
/// that was not measured, by local error.
bool matters_more(const queries::OpRow& a, const queries::OpRow& b);

/// Returns by what an op ranks that changes the loss: what a forward op does to it in a step, or a backward op to how
/// far the step decreases it. Empty where neither was measured, or the latter for a ranking among backward ops alone.
std::optional<double> impact_size_of(const queries::OpRow& op);

/// Returns whether the loss impact of any op was measured, so that it orders them.
bool orders_by_impact(std::span<const queries::OpRow> ops);

}  // namespace ampprof::analysis
