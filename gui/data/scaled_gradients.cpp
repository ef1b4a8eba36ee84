// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/scaled_gradients.h"

#include <fmt/format.h>

#include <cmath>

#include "reports/queries/ops.h"
#include "reports/text/numbers.h"

namespace ampprof::gui {
namespace {

/// Tells whether loss_scale_advice() uses the op.
bool isScaledGradient(const queries::OpRow& op) {
  return op.phase == Phase::Backward && op.dtype_out == DType::Half && op.exponents && op.scale && *op.scale > 0;
}

std::string percentOf(double share) { return fmt::format("{:.3g} %", 100 * share); }

}  // namespace

std::string ScaledGradients::text() const {
  const std::string now = fmt::format(
      "At the loss scale in force, {}, FP16 flushes {}{} of the selected gradients to zero, and {} are beyond 65504.",
      text::plain(scale), is_bound ? "at least " : "", percentOf(lost_now.rounds_to_zero),
      percentOf(lost_now.rounds_to_inf));
  if (!then) return now + " This is the advised loss scale.";
  return now + fmt::format(" At the advised scale, {}, the shares are {} and {}.", text::plain(advised),
                           percentOf(lost_then.rounds_to_zero), percentOf(lost_then.rounds_to_inf));
}

std::optional<ScaledGradients> scaledGradients(const std::vector<const queries::OpRow*>& sites,
                                               const advice::LossScaleAdvice& advice) {
  if (!advice.init_scale) return std::nullopt;
  ScaledGradients scaled{.advised = *advice.init_scale, .lost_now = {}, .lost_then = {}};
  scaled.is_bound = advice.is_bound;
  ExponentHistogram now;
  for (const queries::OpRow* site : sites) {
    if (!isScaledGradient(*site)) return std::nullopt;
    if (site != sites.front() && *site->scale != scaled.scale) return std::nullopt;
    scaled.scale = *site->scale;
    now.merge(site->inherited_exponents ? *site->inherited_exponents : *site->exponents);
  }
  const int shift = static_cast<int>(std::lround(std::log2(scaled.advised / scaled.scale)));
  if (now.total() == 0) return std::nullopt;
  scaled.lost_now = advice::in_half(now);
  scaled.lost_then = advice::in_half(now, shift);
  if (shift != 0) scaled.then = now.shifted(shift);
  return scaled;
}

}  // namespace ampprof::gui
