// SPDX-License-Identifier: Apache-2.0
#include "precision/update/weight_change.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "precision/tensors/observer_disabled_guard.h"

namespace ampprof::update {
namespace {

/// 1 / ulp(value): the exponent is read from the bits, and written into those of the result.
double inverse_ulp(double value, error::Spacing spacing) {
  const auto bits = std::bit_cast<std::int64_t>(value) & 0x7fffffffffffffff;
  const std::int64_t exponent = std::max<std::int64_t>((bits >> 52) - 1023, spacing.min_exponent);
  return std::bit_cast<double>((1023 + spacing.mantissa_bits - exponent) << 52);
}

at::Tensor row_of_doubles(const at::Tensor& tensor) { return tensor.to(at::kDouble).contiguous().view(-1).cpu(); }

}  // namespace

WeightChange weight_change(const at::Tensor& before, const at::Tensor& after, const at::Tensor& exact,
                           error::Spacing spacing) {
  const tensors::ObserverDisabledGuard guard;
  const at::Tensor old_row = row_of_doubles(before);
  const at::Tensor new_row = row_of_doubles(after);
  const at::Tensor exact_row = row_of_doubles(exact);
  const double* const from = old_row.const_data_ptr<double>();
  const double* const to = new_row.const_data_ptr<double>();
  const double* const wanted = exact_row.const_data_ptr<double>();
  WeightChange change;
  for (std::int64_t i = 0; i < old_row.numel(); ++i) {
    const double update = wanted[i] - from[i];
    if (update == 0.0 || !std::isfinite(update)) continue;
    // Beside a weight of 0 any update is infinitely many of its ulps.
    const double ulps = std::abs(update) * inverse_ulp(from[i] == 0.0 ? wanted[i] : from[i], spacing);
    ++change.count;
    change.lost += to[i] == from[i] ? 1 : 0;
    change.below_half_ulp += ulps < 0.5 ? 1 : 0;
    change.sum_ulp += ulps;
  }
  return change;
}

}  // namespace ampprof::update
