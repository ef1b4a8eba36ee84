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
  std::string name;                  ///< the call site or parameter; for an input, the call site that reads it
  std::string module;                ///< "" for a parameter
  std::string op;                    ///< "" for a parameter
  std::string site_source;           ///< file:line, "" if unknown and for a parameter
  std::int64_t calls = 0;            ///< calls from this call site and position; at least steps + gaps
  std::int64_t steps = 0;            ///< steps in which the impact was measured
  /// Upper bound of the recorded steps that call the call site, at least steps + gaps: a call site that is called twice
  /// in some steps and not in others counts too often.
  std::int64_t called_steps = 0;
  std::optional<double> impact;      ///< mean over `steps`
  std::optional<double> impact_rms;  ///< root mean square over `steps`
  std::optional<double> standard_error;  ///< standard error of the mean due to unsampled steps; 0 if all were sampled
  std::int64_t gaps = 0;                 ///< steps whose impact has no value
  ImpactGap gap = ImpactGap::None;       ///< reason in the first step without a value

  ImpactSquares squares = {};                     ///< expected squares due to the error's roundings: means over steps
  std::optional<double> self_check = {};          ///< squared changes over expected squares, see self_check_of()
  bool is_signed = true;                          ///< the error's roundings are unknown or not independent
  ImpactGradient gradient = ImpactGradient::Run;  ///< gradient that the error was multiplied by in the last step
  std::vector<StepImpact> by_step = {};           ///< ascending

  /// Returns E, the root of the mean of the expected squares; empty if roundings are unknown.
  std::optional<double> estimate() const {
    const auto square = squares.sum();
    return square ? std::optional(std::sqrt(*square)) : std::nullopt;
  }
  /// Returns the size that ranks rows: E, or the root mean square of the changes if E is unknown or fails its check.
  std::optional<double> size() const { return is_signed ? impact_rms : estimate(); }
};

std::vector<ImpactRow> impacts(const Report& report, RunFilter run = {});

}  // namespace ampprof::queries
