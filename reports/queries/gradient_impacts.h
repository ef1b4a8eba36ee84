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

/// One source's effect on how far the loss decreases by a step's update. The rows of a run add up to that of all errors
/// of its gradients; outputs that `no_cotangents` counts are in the row of forward errors.
struct GradientImpactRow {
  std::int64_t run = 0;
  std::string level;
  GradientImpactSource source = GradientImpactSource::OpCall;
  std::int64_t call_site_id = 0;  ///< 0 for forward errors
  std::int32_t position = 0;      ///< the segment's place in its step
  Matmul matmul = Matmul::None;   ///< that a recipe rounds in it: those of one call site are rows of their own
  std::string name;               ///< the call site; "forward errors"
  std::string module;
  std::string op;
  std::string site_source;                          ///< file:line, "" where unknown
  std::int64_t steps = 0;                           ///< with an impact
  std::int64_t gaps = 0;                            ///< without one
  GradientImpactGap gap = GradientImpactGap::None;  ///< why, of the first such step
  std::int64_t no_cotangents = 0;                   ///< outputs over all steps
  std::optional<double> impact;                     ///< mean over steps
  std::optional<double> standard_error;             ///< of that mean; empty with one step
  std::optional<double> impact_rms;                 ///< root mean square over steps
  std::optional<double> estimate;                   ///< root of the mean expected square; empty where none is known
  std::optional<double> share;   ///< impacts over what the loss decreased by in these steps, added up
  bool is_ranking_only = false;  ///< in one of these steps

  /// Returns by what rows rank.
  std::optional<double> size() const { return estimate ? estimate : impact_rms; }
};

std::vector<GradientImpactRow> gradient_impacts(const Report& report, RunFilter run = {});

/// The error of the gradients of one parameter, over all steps that have one.
struct GradientErrorRow {
  std::int64_t run = 0;
  std::string level;
  std::string parameter;
  std::int64_t steps = 0;
  std::optional<double> relative;  ///< error over the gradient in high precision, root of the sums of squares
  std::optional<double> cosine;    ///< of both, mean over steps
  std::optional<double> flushed;   ///< share of the elements that are 0 in the run alone
  /// How far the gradient in high precision is from its own mean over steps, relative to itself: half of the squares of
  /// its changes from step to step. Empty with one step.
  std::optional<double> noise;
  std::optional<double> share;  ///< of the squared error of all gradients of the run
};

std::vector<GradientErrorRow> gradient_errors(const Report& report, RunFilter run = {});

}  // namespace ampprof::queries
