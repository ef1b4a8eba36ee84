// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/queries/report.h"
#include "reports/records/impact_estimate.h"
#include "reports/records/phase.h"
#include "reports/records/recipe_matmul.h"

namespace ampprof::queries {

/// One matmul of one layer under one recipe, over all steps of a run that have it: what its operands lose, and what
/// that does. Of fprop that is a change of the loss, positive where it grows; of dgrad and wgrad a change of how far a
/// step decreases the loss, negative where it decreases less. The two are never added.
struct RecipeMatmulRow {
  std::int64_t run = 0;
  std::string level;
  std::string recipe;
  Matmul matmul = Matmul::Fprop;
  std::int64_t call_site_id = 0;  ///< of the forward call
  std::int32_t position = 0;      ///< the segment's place in its step
  std::string call_site;          ///< its name
  Phase phase = Phase::Forward;
  std::string module;
  std::string op;
  std::string source;  ///< file:line, "" where unknown

  bool is_quantized = true;  ///< false: the recipe leaves it in high precision
  bool has_hardware = true;  ///< false: no GPU of today has it in these types
  std::string reason;        ///< a sentence where either is false
  std::int64_t rows = 0;     ///< of the weight: output features
  std::int64_t columns = 0;  ///< of the weight: input features
  std::int64_t leading = 0;  ///< product of the input's leading dimensions
  std::int64_t groups = 1;   ///< products of these sizes in a call
  std::int64_t calls = 0;    ///< that were looked at
  std::int64_t steps = 0;    ///< in which they were
  std::vector<std::int64_t> computed_by = {};  ///< call sites that compute it: of dgrad and wgrad backward ones

  OperandLoss first = {};   ///< input; of dgrad the output's gradient; over all steps, as the next
  OperandLoss second = {};  ///< weight; of wgrad the output's gradient
  double sum_sq_error = 0.0;
  double sum_sq_exact = 0.0;

  bool has_impact = false;               ///< at least one step has one: not with --screen
  std::vector<StepImpact> by_step = {};  ///< ascending; losses added up
  std::int64_t gaps = 0;                 ///< steps without an impact
  std::string gap_reason = {};           ///< why, of the first
  std::optional<double> decrease = {};   ///< of the loss by a step, mean over those of dgrad and wgrad
  bool is_ranking_only = false;          ///< impacts of dgrad and wgrad: their order counts, not their size
  bool is_signed = false;                ///< roundings are not independent: the mean counts, not E

  bool is_on_loss() const { return matmul == Matmul::Fprop; }
  /// Multiplications and additions of one call.
  double flops() const;
  /// Root of the squared error of the product over its squared values; empty where it is not quantized.
  std::optional<double> relative_error() const;
  /// The mean change over steps, and its standard error over them (empty below two).
  std::optional<double> impact() const;
  std::optional<double> standard_error() const;
  /// E: what is expected of the change, root mean square; empty where roundings are not known.
  std::optional<double> estimate() const { return estimate_of(by_step); }
  std::optional<double> impact_rms() const { return rms_change_of(by_step); }
  /// Around E; empty without it.
  std::optional<SizeInterval> interval() const { return is_signed ? std::nullopt : interval_of(by_step); }
  /// By what rows rank: root of E² and the square of the mean change where that is resolved, which large errors have.
  std::optional<double> size() const;
};

/// Ordered by run, recipe, place in the program and matmul.
std::vector<RecipeMatmulRow> recipe_matmuls(const Report& report, RunFilter run = {});

}  // namespace ampprof::queries
