// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "reports/records/statistics.h"

namespace ampprof::queries {
struct OpRow;
}

namespace ampprof::analysis {

inline constexpr double kLargestHalf = 65504;  ///< largest finite FP16 value

/// Returns the largest magnitude among an op's outputs and their references.
double largest_of(const RangeStats& ranges);

/// Returns the powers of two between the largest output and 65504. Negative if it is above; empty if no value is known.
std::optional<double> headroom_of(const queries::OpRow& op);

/// Returns whether outputs of the op have an unexpected NaN or inf. The -inf of a mask is expected.
bool has_unexpected_nonfinite(const queries::OpRow& op);

/// Orders the larger of two local errors first: errors that are not finite, then by size. Rows without a local error
/// come last.
bool has_larger_error(const queries::OpRow& a, const queries::OpRow& b);

/// Orders the more important op first: errors that are not finite, then by loss impact, then, if that was not measured,
/// by local error.
bool matters_more(const queries::OpRow& a, const queries::OpRow& b);

/// Returns the number that ranks an op by loss impact. For a forward op: the change of the loss per step. For a
/// backward op: the change of the loss decrease per step. Empty if neither was measured, or if the number of a backward
/// op only ranks backward ops among each other (OpRow::gradient_impact_is_ranking_only).
std::optional<double> impact_size_of(const queries::OpRow& op);

/// Returns whether any op has a measured loss impact, so that ops are ordered by it.
bool orders_by_impact(std::span<const queries::OpRow> ops);

}  // namespace ampprof::analysis
