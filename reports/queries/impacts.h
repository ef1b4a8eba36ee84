// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/queries/report.h"
#include "reports/records/impact_estimate.h"
#include "reports/records/loss_impact.h"
#include "reports/records/op_call.h"

namespace ampprof::queries {

/// Impact of one error on one loss. The rows of a run and loss add up to the predicted change of that loss.
struct ImpactRow {
  std::int64_t run = 0;
  std::string level;
  std::int32_t loss_id = 0;
  ImpactSource source = ImpactSource::OpCall;
  std::int64_t call_site_id = 0;     ///< 0 for a parameter
  std::int32_t position = 0;         ///< index of the segment in its step
  std::string name;                  ///< the call site; the parameter's name; for inputs, the call site that takes them
  std::string module;                ///< "" for a parameter
  std::string op;                    ///< "" for a parameter
  std::string site_source;           ///< file:line, "" if unknown and for a parameter
  std::int64_t calls = 0;            ///< steps in which it could have been measured
  std::int64_t steps = 0;            ///< steps in which it was measured
  std::optional<double> impact;      ///< mean over those steps
  std::optional<double> impact_rms;  ///< root mean square over those steps
  std::optional<double> standard_error;  ///< standard error of the mean due to unsampled steps; 0 if all were sampled
  std::int64_t gaps = 0;                 ///< steps without a value
  ImpactGap gap = ImpactGap::None;       ///< reason, in the first such step

  ImpactSquares squares = {};                     ///< expected squares of its roundings, by operand: means over steps
  std::optional<double> self_check = {};          ///< signed changes relative to them, see self_check_of()
  bool is_signed = true;                          ///< its roundings are unknown or not independent
  ImpactGradient gradient = ImpactGradient::Run;  ///< that its errors met in the last step
  std::vector<StepImpact> by_step = {};           ///< ascending

  /// Returns E, the root of the mean of the expected squares; empty if roundings are unknown.
  std::optional<double> estimate() const {
    const auto square = squares.sum();
    return square ? std::optional(std::sqrt(*square)) : std::nullopt;
  }
  /// Returns the figure that ranks rows: E. If E is unknown or fails its check, the root mean square of the changes.
  std::optional<double> size() const { return is_signed ? impact_rms : estimate(); }
};

std::vector<ImpactRow> impacts(const Report& report, RunFilter run = {});

}  // namespace ampprof::queries
