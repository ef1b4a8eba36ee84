// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/loss_scale.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "reports/queries/events.h"
#include "reports/queries/ops.h"
#include "reports/queries/scales.h"

namespace ampprof::advice {
namespace {

constexpr double kLargestHalf = 65504.0;
constexpr int kLargestScaleExponent = 24;  // 2^24 is the upper limit of the engine's dynamic scale

struct Counts {
  double all = 0.0, zero = 0.0, subnormal = 0.0, infinite = 0.0;

  void add(const ExponentHistogram& histogram, int shift) {
    for (std::size_t bin = 0; bin < ExponentHistogram::kBins; ++bin) {
      const auto count = static_cast<double>(histogram.counts[bin]);
      const int exponent = ExponentHistogram::exponent_of(bin) + shift;
      all += count;
      if (exponent <= -25) zero += count;
      if (exponent > -25 && exponent <= -14) subnormal += count;
      if (exponent > 16) infinite += count;
    }
  }

  HalfShares shares() const {
    if (all == 0.0) return {};
    return {zero / all, subnormal / all, infinite / all};
  }
};

/// The gradients of one loss.
struct Gradients {
  std::vector<const queries::OpRow*> ops;
  std::vector<double> scales;  // loss scales that the scaler set, in order
};

bool is_judged(const queries::OpRow& op) {
  return op.phase == Phase::Backward && op.dtype_out == DType::Half && op.exponents && op.scale && *op.scale > 0;
}

const ExponentHistogram& histogram_of(const queries::OpRow& op) {
  return op.inherited_exponents ? *op.inherited_exponents : *op.exponents;
}

/// Returns the largest gradient as recorded, that is, multiplied by the loss scale of its step.
double largest_of(const queries::OpRow& op) {
  double largest = op.ranges ? std::max(op.ranges->amax, op.ranges->reference_amax) : 0.0;
  const auto& counts = histogram_of(op).counts;
  const auto last = std::find_if(counts.rbegin(), counts.rend(), [](std::int64_t count) { return count > 0; });
  if (last == counts.rend()) return largest;
  // Only the shadow can have values in a bin above the largest recorded value. The largest value of the shadow is not
  // known, so the end of the bin is used instead.
  const int exponent = ExponentHistogram::exponent_of(static_cast<std::size_t>(counts.rend() - last) - 1);
  return std::ldexp(1.0, exponent - 1) > largest ? std::ldexp(1.0, exponent) : largest;
}

AtScale at_scale(const std::vector<const queries::OpRow*>& ops, double scale, double largest) {
  Counts counts;
  for (const queries::OpRow* op : ops) {
    counts.add(histogram_of(*op), static_cast<int>(std::lround(std::log2(scale / *op->scale))));
  }
  return {scale, counts.shares(), largest * scale > kLargestHalf};
}

/// Returns the largest power of two in 1 to 2^24 that is at most `bound`; empty below 1.
std::optional<double> power_below(double bound) {
  if (bound < 1) return std::nullopt;
  return std::ldexp(1.0, static_cast<int>(std::min<double>(std::floor(std::log2(bound)), kLargestScaleExponent)));
}

LossScaleAdvice advise(std::int32_t loss_id, const Gradients& gradients) {
  LossScaleAdvice advice{.loss_id = loss_id};
  const auto& ops = gradients.ops;
  const auto& scales = gradients.scales;
  advice.is_bound =
      !std::ranges::all_of(ops, [](const queries::OpRow* op) { return op->inherited_exponents.has_value(); });
  advice.last_scale = scales.empty() ? *ops.back()->scale : scales.back();
  advice.scale_changed = std::ranges::any_of(scales, [&](double scale) { return scale != scales.front(); });
  double largest = 0.0;
  for (const queries::OpRow* op : ops) largest = std::max(largest, largest_of(*op) / *op->scale);
  if (largest > 0.0) {
    advice.largest_safe_scale = kLargestHalf / largest;
    advice.static_scale = power_below(*advice.largest_safe_scale / 2);
    advice.init_scale = power_below(*advice.largest_safe_scale);
  }
  for (int exponent = 0; exponent <= kLargestScaleExponent; ++exponent) {
    advice.scales.push_back(at_scale(ops, std::ldexp(1.0, exponent), largest));
  }
  return advice;
}

}  // namespace

HalfShares in_half(const ExponentHistogram& histogram, int shift) {
  Counts counts;
  counts.add(histogram, shift);
  return counts.shares();
}

std::vector<LossScaleAdvice> loss_scale_advice(const std::vector<queries::OpRow>& ops,
                                               const std::vector<queries::ScaleRow>& scales) {
  std::map<std::int32_t, std::set<std::int32_t>> positions;  // by loss: segments that updated its scale
  std::map<std::int32_t, Gradients> losses;
  for (const queries::ScaleRow& row : scales) {
    positions[row.update.loss_id].insert(row.position);
    losses[row.update.loss_id].scales.push_back(row.update.scale_after);
  }
  if (losses.empty()) losses[0] = {};
  std::vector<LossScaleAdvice> advice;
  for (auto& [loss, gradients] : losses) {
    const auto& own = positions[loss];
    for (const queries::OpRow& op : ops) {
      if (is_judged(op) && (losses.size() == 1 || own.contains(op.position))) gradients.ops.push_back(&op);
    }
    if (!gradients.ops.empty()) advice.push_back(advise(loss, gradients));
  }
  return advice;
}

bool fits_at_smaller_scale(const queries::EventRow& event, bool if_unknown) {
  constexpr double kLeastLossScale = 1;  // a smaller scale means that the gradient itself does not fit
  if (event.first_op_phase != Phase::Backward || event.cause != NonfiniteCause::TooLarge) return false;
  return event.largest_safe_scale ? *event.largest_safe_scale >= kLeastLossScale : if_unknown;
}

}  // namespace ampprof::advice
