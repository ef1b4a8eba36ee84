// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/queries/report.h"
#include "reports/records/gradient_impact.h"
#include "reports/records/op_call.h"

namespace ampprof::queries {

/// Impact of one source of errors on the loss decrease by a step's update. The rows of a run add up to the impact of
/// all its gradient errors. Outputs counted by `no_cotangents` are part of the row for forward errors.
struct GradientImpactRow {
  std::int64_t run = 0;
  std::string level;
  GradientImpactSource source = GradientImpactSource::OpCall;
  std::int64_t call_site_id = 0;  ///< 0 for forward errors
  std::int32_t position = 0;      ///< index of the segment in its step
  Matmul matmul = Matmul::None;   ///< the matmul that a recipe rounds; each matmul of a call site has its own row
  std::string name;               ///< name of the call site, or "forward errors"
  std::string module;
  std::string op;
  std::string site_source;                          ///< file:line, "" if unknown
  std::int64_t steps = 0;                           ///< steps with an impact
  std::int64_t gaps = 0;                            ///< steps without an impact
  GradientImpactGap gap = GradientImpactGap::None;  ///< reason in the first step without an impact
  std::int64_t no_cotangents = 0;                   ///< outputs without a cotangent, over all steps; see GradientImpact
  std::optional<double> impact;                     ///< mean over steps
  std::optional<double> standard_error;             ///< standard error of that mean; empty with one step
  std::optional<double> impact_rms;                 ///< root mean square over steps
  std::optional<double> estimate;                   ///< root of the mean expected square; empty if unknown
  std::optional<double> share;                      ///< sum of impacts over the sum of loss decreases in these steps
  bool is_ranking_only = false;                     ///< GradientImpact::is_ranking_only in any step

  /// Returns the size that ranks rows.
  std::optional<double> size() const { return estimate ? estimate : impact_rms; }
};

std::vector<GradientImpactRow> gradient_impacts(const Report& report, RunFilter run = {});

/// The error of the gradients of one parameter, over all steps with a gradient.
struct GradientErrorRow {
  std::int64_t run = 0;
  std::string level;
  std::string parameter;
  std::int64_t steps = 0;
  std::optional<double> relative;  ///< L2 norm of the error relative to that of the gradient in high precision
  std::optional<double> cosine;    ///< cosine of both gradients, mean over steps
  std::optional<double> flushed;   ///< share of the elements that are 0 only in the run
  /// Noise of the gradient in high precision: its relative distance from its own mean over steps, estimated from half
  /// of the squared changes between steps. Empty with one step.
  std::optional<double> noise;
  std::optional<double> share;  ///< share of the squared error of all gradients of the run
};

std::vector<GradientErrorRow> gradient_errors(const Report& report, RunFilter run = {});

}  // namespace ampprof::queries
