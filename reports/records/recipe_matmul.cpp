// SPDX-License-Identifier: Apache-2.0
#include "reports/records/recipe_matmul.h"

#include <algorithm>
#include <cmath>

namespace ampprof {
namespace {

std::optional<double> share(std::int64_t part, std::int64_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

void OperandRounding::merge(const OperandRounding& other) {
  count += other.count;
  nonfinite += other.nonfinite;
  flushed += other.flushed;
  saturated += other.saturated;
  amax = std::max(amax, other.amax);
  sum_sq += other.sum_sq;
  sum_sq_error += other.sum_sq_error;
}

std::optional<double> OperandRounding::sqnr_db() const {
  if (!(sum_sq > 0.0) || !(sum_sq_error > 0.0)) return std::nullopt;
  return 10.0 * std::log10(sum_sq / sum_sq_error);
}

std::optional<double> OperandRounding::flushed_share() const { return share(flushed, count); }

std::optional<double> OperandRounding::saturated_share() const { return share(saturated, count); }

void RecipeMatmul::merge(const RecipeMatmul& other) {
  if (other.is_quantized && !is_quantized) {
    is_quantized = true;
    has_hardware = other.has_hardware;
    reason = other.reason;
    rows = other.rows;
    columns = other.columns;
    leading = other.leading;
    groups = other.groups;
  }
  calls += other.calls;
  first.merge(other.first);
  second.merge(other.second);
  sum_sq_error += other.sum_sq_error;
  sum_sq_exact += other.sum_sq_exact;
}

}  // namespace ampprof
