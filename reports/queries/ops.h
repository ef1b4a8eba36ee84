// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/queries/gpu_activity_use.h"
#include "reports/queries/report.h"
#include "reports/records/dtype.h"
#include "reports/records/exponents.h"
#include "reports/records/impact_estimate.h"
#include "reports/records/loss_impact.h"
#include "reports/records/statistics.h"

namespace ampprof::queries {

/// One call site of one run. Field names are the JSON keys of `ampprof show ops`.
struct OpRow {
  std::int64_t run = 0;
  std::string level;
  std::int64_t call_site_id = 0;
  std::int32_t position = 0;  ///< index of the segment in its step
  std::string call_site;      ///< "backward conv1/convolution_backward", with "#2" for the second call in the step
  Phase phase = Phase::Forward;
  std::string module;
  std::string op;
  std::int32_t ordinal = 0;  ///< as in CallSite
  std::string source;        ///< file:line, "" if unknown
  std::int64_t calls = 0;
  std::string signature;  ///< shapes of the most frequent variant
  DType dtype_in = DType::Unknown;
  DType dtype_out = DType::Unknown;
  double cpu_us = 0.0;                     ///< summed over calls
  std::optional<double> gpu_us;            ///< sum over kernels, memcpys and memsets; empty if the run saw no GPU
  std::vector<GpuActivityUse> activities;  ///< its GPU activities, the longest first
  std::int64_t cast_bytes = 0;
  std::optional<ErrorStats> local;                       ///< merged over calls
  std::optional<RangeStats> ranges;                      ///< merged over calls
  std::optional<double> scale;                           ///< the last loss scale in force
  std::optional<ErrorStats> inherited;                   ///< merged over calls
  std::optional<ExponentHistogram> exponents;            ///< histogram of the reference; merged over calls
  std::optional<ExponentHistogram> inherited_exponents;  ///< histogram of the shadow; merged over calls
  bool nonfinite_expected = false;                       ///< every NaN and inf in its outputs was expected
  std::optional<double> loss_impact;                ///< mean over steps, summed over losses; of op and input errors
  std::optional<double> loss_impact_rms;            ///< root mean square over steps
  std::optional<double> loss_impact_size = {};      ///< size that ranks rows; see ImpactRow::size()
  bool loss_impact_is_signed = false;               ///< loss_impact_size is, or includes, the RMS of signed changes
  ImpactSquares impact_squares = {};                ///< expected, due to roundings; mean over steps, summed over losses
  std::vector<StepImpact> impact_by_step = {};      ///< ascending; summed over losses
  std::optional<double> gradient_impact = {};       ///< for a backward op: see GradientImpactRow::impact
  std::optional<double> gradient_impact_size = {};  ///< size that ranks rows; see GradientImpactRow::size()
  std::optional<double> gradient_impact_share = {};  ///< share of the loss decrease; see GradientImpactRow::share
  bool gradient_impact_is_ranking_only = false;

  /// Return the mean time of a call in microseconds. Empty without calls or without a GPU.
  std::optional<double> cpu_us_per_call() const { return per_call(cpu_us); }
  std::optional<double> gpu_us_per_call() const { return gpu_us ? per_call(*gpu_us) : std::nullopt; }

 private:
  std::optional<double> per_call(double us) const {
    return calls > 0 ? std::optional(us / static_cast<double>(calls)) : std::nullopt;
  }
};

/// Returns the call sites. With `steps` they have no loss impacts, and every op call of these steps is decoded.
std::vector<OpRow> ops(const Report& report, RunFilter run = {}, const StepFilter& steps = {});

/// Returns the first op of `run` with an inherited error of at least `threshold`, as relative L2; NaN counts as larger.
/// Ops are ordered by segment of the step, then by phase, with inference last. Empty if there is none.
std::optional<OpRow> first_to_diverge(const std::vector<OpRow>& ops, std::int64_t run, double threshold);

}  // namespace ampprof::queries
