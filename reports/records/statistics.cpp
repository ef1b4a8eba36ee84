// SPDX-License-Identifier: Apache-2.0
#include "reports/records/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reports/records/saturating_add.h"

namespace ampprof {
namespace {

template <class Stats>
void merge_each(Stats& total, const Stats& part) {
  each_statistic<Stats>([&](const auto& statistic) {
    total.*statistic.field = statistic.merged(total.*statistic.field, part.*statistic.field);
  });
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

std::int64_t merging::sum(std::int64_t total, std::int64_t part) {
  saturating_add(total, part);
  return total;
}

double merging::sum(double total, double part) { return total + part; }

double merging::largest(double total, double part) { return std::isnan(part) ? part : std::max(total, part); }

double merging::smallest_nonzero(double total, double part) {
  if (total == 0.0 || part == 0.0) return total + part;
  return std::min(total, part);
}

void ErrorStats::merge(const ErrorStats& other) { merge_each(*this, other); }
void RangeStats::merge(const RangeStats& other) { merge_each(*this, other); }

double ErrorStats::relative_l2() const {
  if (infinite > 0) return kInfinity;
  if (sum_sq_error == 0.0) return 0.0;
  // A difference may cancel to nearly 0 in r but not in y. Then y gives the order of magnitude. Takes roots before
  // dividing, since squares leave the range of double long before norms do.
  return std::sqrt(sum_sq_error) / std::max(std::sqrt(sum_sq_reference), std::sqrt(sum_sq_output) / 2);
}

double ErrorStats::cosine() const {
  if (infinite > 0) return 0.0;
  if (sum_sq_output == 0.0 || sum_sq_reference == 0.0) return sum_sq_output == sum_sq_reference ? 1.0 : 0.0;
  const double cosine = sum_product / (std::sqrt(sum_sq_output) * std::sqrt(sum_sq_reference));
  return std::clamp(cosine, -1.0, 1.0);  // rounding may leave the range; NaN stays NaN
}

double ErrorStats::mean_ulp() const {
  if (infinite > 0) return kInfinity;
  return count == 0 ? 0.0 : sum_ulp / static_cast<double>(count);
}

}  // namespace ampprof
