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

/// One matmul of one layer under one recipe, over all steps of a run that have it: the errors of its operands, and
/// their impact. For fprop the impact is a change of the loss, positive for an increase. For dgrad and wgrad it is a
/// change of the loss decrease of a step, negative for a smaller decrease. Never add the two.
struct RecipeMatmulRow {
  std::int64_t run = 0;
  std::string level;
  std::string recipe;
  Matmul matmul = Matmul::Fprop;
  std::int64_t call_site_id = 0;  ///< id of the forward call site
  std::int32_t position = 0;      ///< index of the segment in its step
  std::string call_site;          ///< name of the call site
  Phase phase = Phase::Forward;
  std::string module;
  std::string op;
  std::string source;  ///< file:line, "" if unknown

  bool is_quantized = true;  ///< false: the recipe leaves the matmul in high precision
  bool has_hardware = true;  ///< false: no current GPU supports the matmul in these types
  std::string reason;        ///< a sentence if one of the two flags is false
  std::int64_t rows = 0;     ///< output features of the weight
  std::int64_t columns = 0;  ///< input features of the weight
  std::int64_t leading = 0;  ///< product of the input's leading dimensions
  std::int64_t groups = 1;   ///< number of products of these sizes per call
  std::int64_t calls = 0;    ///< measured calls
  std::int64_t steps = 0;    ///< steps with measured calls
  std::vector<std::int64_t> computed_by = {};  ///< call sites that compute it; for dgrad and wgrad, backward call sites

  OperandRounding first = {};   ///< rounding loss of the input; for dgrad, of grad_output; over all steps
  OperandRounding second = {};  ///< rounding loss of the weight; for wgrad, of grad_output; over all steps
  double sum_sq_error = 0.0;
  double sum_sq_exact = 0.0;

  bool has_impact = false;               ///< at least one step has an impact; false with --screen
  std::vector<StepImpact> by_step = {};  ///< impacts by step, ascending; losses added up
  std::int64_t gaps = 0;                 ///< steps without an impact
  std::string gap_reason = {};           ///< reason in the first step without an impact
  std::optional<double> decrease = {};   ///< mean loss decrease of a step, for dgrad and wgrad
  bool is_ranking_only = false;          ///< impacts of dgrad and wgrad rank rows but have no meaningful size
  bool is_signed = false;                ///< roundings are not independent, so size() does not use E

  bool is_on_loss() const { return matmul == Matmul::Fprop; }
  /// Multiplications and additions of one call.
  double flops() const;
  /// Relative error of the product, as the ratio of L2 norms; empty if the matmul is not quantized.
  std::optional<double> relative_error() const;
  /// Mean change over steps, and its standard error, which is empty below two steps.
  std::optional<double> impact() const;
  std::optional<double> standard_error() const;
  /// E: the expected change, root mean square; empty if roundings are unknown.
  std::optional<double> estimate() const { return estimate_of(by_step); }
  std::optional<double> impact_rms() const { return rms_change_of(by_step); }
  /// Interval around E; empty without E.
  std::optional<SizeInterval> interval() const { return is_signed ? std::nullopt : interval_of(by_step); }
  /// Size that ranks rows: sqrt(E² + m²), where m is the mean change if it is resolved, as for large errors, else 0.
  /// Without E, or if is_signed, the root mean square of the changes.
  std::optional<double> size() const;
};

/// Returns the rows, ordered by run, recipe, position in the program and matmul.
std::vector<RecipeMatmulRow> recipe_matmuls(const Report& report, RunFilter run = {});

}  // namespace ampprof::queries
