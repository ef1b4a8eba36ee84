// SPDX-License-Identifier: Apache-2.0
#include "reports/records/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reports/records/saturating_add.h"

namespace ampprof {
namespace {

// NaN wins from either side, so that it cannot hide.
double larger(double a, double b) { return std::isnan(b) ? b : std::max(a, b); }

// 0 stands for "none".
double smaller_nonzero(double a, double b) {
  if (a == 0.0 || b == 0.0) return a + b;
  return std::min(a, b);
}

}  // namespace

void ErrorStats::merge(const ErrorStats& other) {
  saturating_add(count, other.count);
  saturating_add(excluded, other.excluded);
  saturating_add(flushed, other.flushed);
  max_abs = larger(max_abs, other.max_abs);
  max_ulp = larger(max_ulp, other.max_ulp);
  sum_ulp += other.sum_ulp;
  sum_sq_error += other.sum_sq_error;
  sum_sq_reference += other.sum_sq_reference;
  sum_sq_output += other.sum_sq_output;
  sum_product += other.sum_product;
}

double ErrorStats::relative_l2() const {
  if (sum_sq_reference == 0.0) return sum_sq_error == 0.0 ? 0.0 : std::numeric_limits<double>::infinity();
  // Two roots: the quotient of the squares leaves double's range long before the quotient of the norms does.
  return std::sqrt(sum_sq_error) / std::sqrt(sum_sq_reference);
}

double ErrorStats::cosine() const {
  if (sum_sq_output == 0.0 || sum_sq_reference == 0.0) return sum_sq_output == sum_sq_reference ? 1.0 : 0.0;
  const double cosine = sum_product / (std::sqrt(sum_sq_output) * std::sqrt(sum_sq_reference));
  return std::clamp(cosine, -1.0, 1.0);  // rounding may leave the range; NaN stays NaN
}

double ErrorStats::mean_ulp() const { return count == 0 ? 0.0 : sum_ulp / static_cast<double>(count); }

void RangeStats::merge(const RangeStats& other) {
  saturating_add(count, other.count);
  saturating_add(nonfinite, other.nonfinite);
  amax = larger(amax, other.amax);
  smallest = smaller_nonzero(smallest, other.smallest);
  reference_amax = larger(reference_amax, other.reference_amax);
  saturating_add(rounds_to_inf, other.rounds_to_inf);
  saturating_add(subnormal, other.subnormal);
  saturating_add(rounds_to_zero, other.rounds_to_zero);
}

}  // namespace ampprof
