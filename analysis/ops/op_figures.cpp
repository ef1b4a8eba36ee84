// SPDX-License-Identifier: Apache-2.0
#include "analysis/ops/op_figures.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "reports/queries/ops.h"

namespace ampprof::analysis {
namespace {

// Ranks NaN and infinity as the largest error, and a missing error as the smallest.
double rank_of(const queries::OpRow& op) {
  if (!op.local) return -1;
  const double error = op.local->relative_l2();
  return std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
}

}  // namespace

double largest_of(const RangeStats& ranges) { return std::max(ranges.amax, ranges.reference_amax); }

std::optional<double> headroom_of(const queries::OpRow& op) {
  const double largest = op.ranges ? largest_of(*op.ranges) : 0;
  if (largest <= 0 || !std::isfinite(largest)) return std::nullopt;
  return std::log2(kLargestHalf / largest);
}

bool has_unexpected_nonfinite(const queries::OpRow& op) {
  return op.ranges && op.ranges->nonfinite > 0 && !op.nonfinite_expected;
}

std::optional<double> impact_size_of(const queries::OpRow& op) {
  if (op.loss_impact_size || op.gradient_impact_is_ranking_only) return op.loss_impact_size;
  return op.gradient_impact_size;
}

bool has_larger_error(const queries::OpRow& a, const queries::OpRow& b) { return rank_of(a) > rank_of(b); }

bool matters_more(const queries::OpRow& a, const queries::OpRow& b) {
  const auto rank = [](const queries::OpRow& op) {
    const double error = rank_of(op);
    const bool is_lost = std::isinf(error);
    return std::tuple(is_lost, is_lost ? 0.0 : impact_size_of(op).value_or(0.0), error);
  };
  return rank(a) > rank(b);
}

bool orders_by_impact(std::span<const queries::OpRow> ops) {
  return std::ranges::any_of(ops, [](const queries::OpRow& op) { return impact_size_of(op).value_or(0.0) > 0.0; });
}

}  // namespace ampprof::analysis
