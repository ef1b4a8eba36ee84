// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reports/records/exponents.h"

namespace ampprof::queries {
struct EventRow;
struct OpRow;
struct ScaleRow;
}  // namespace ampprof::queries

namespace ampprof::advice {

/// Shares of the finite nonzero values that FP16 rounds to zero, stores with fewer bits, or rounds to inf.
struct HalfShares {
  double rounds_to_zero = 0.0;  ///< values with |x| < 2^-25
  double subnormal = 0.0;       ///< 2^-25 <= |x| < 2^-14: mantissa bits are lost
  double rounds_to_inf = 0.0;   ///< values with |x| >= 2^16

  bool operator==(const HalfShares&) const = default;
};

/// Returns the shares for a histogram's values times 2^shift. Exact except for values in the tail bins, for 2^-25
/// itself, which rounds to zero, and for 65520 to 65535, which round to infinity.
HalfShares in_half(const ExponentHistogram& histogram, int shift = 0);

/// Effect of FP16 on the gradients of one loss at one loss scale.
struct AtScale {
  double scale = 1.0;
  HalfShares shares;
  bool overflows = false;  ///< whether the largest gradient exceeds the range of FP16

  bool operator==(const AtScale&) const = default;
};

/// Loss scales that suit the gradients of one loss, judged by the FP16 outputs of backward ops.
///
/// Without a shadow (`--inherited`), gradients that FP16 flushed to zero are not recorded. The flushed shares are then
/// lower bounds, and the largest safe scale is an upper bound (`is_bound`). The report merges histograms of steps at
/// different scales; the advice treats them as if all were recorded at the last scale (`scale_changed`).
struct LossScaleAdvice {
  std::int32_t loss_id = 0;
  bool is_bound = true;
  bool scale_changed = false;
  double last_scale = 1.0;  ///< loss scale at the end of the run
  std::optional<double> largest_safe_scale =
      {};  ///< 65504 divided by the largest gradient at scale 1; empty if all gradients are zero
  /// `static_scale` is the largest power of two that leaves a headroom of 2 to 4. `init_scale` is the largest safe
  /// power of two, for a dynamic scaler. A scale is empty if it would be below 1: then even unscaled gradients are too
  /// large for FP16, or for the headroom.
  std::optional<double> static_scale = {};
  std::optional<double> init_scale = {};
  std::vector<AtScale> scales = {};  ///< powers of two from 1 to 2^24, ascending

  /// Tells whether a gradient overflows at every scale.
  bool none_fits() const { return largest_safe_scale && !init_scale; }
};

/// Returns the advice for each loss of a run. In a run with several losses, the gradients of a loss are those recorded
/// in the segments in which its scale was updated. Empty if there are no FP16 gradients with a known scale.
std::vector<LossScaleAdvice> loss_scale_advice(const std::vector<queries::OpRow>& ops,
                                               const std::vector<queries::ScaleRow>& scales);

/// Returns whether an overflowed gradient would fit at a smaller loss scale that is at least 1. Returns `if_unknown` if
/// the report lacks the largest safe scale.
bool fits_at_smaller_scale(const queries::EventRow& event, bool if_unknown);

}  // namespace ampprof::advice
