// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace ampprof::search {

/// The value of a run that a search must preserve.
enum class MetricKind {
  FinalLoss,     ///< mean loss of at most 10 last steps (queries::LossSummary::last); NaN if one is not finite
  OverflowRate,  ///< share of steps with an overflow
  Output,        ///< a number that the program prints
};

struct Metric {
  MetricKind kind = MetricKind::FinalLoss;
  std::string expression = {};  ///< for Output: its first group is the number
  bool higher = false;          ///< true if a larger value is better

  bool operator==(const Metric&) const = default;
};

/// Parses "loss", "overflows", or a regular expression of RE2 for the printed output.
Metric metric_from(const std::string& text, bool higher);

/// Returns text that metric_from() parses. Metric::higher is not part of the text.
std::string name_of(const Metric& metric);

/// Returns what is wrong with an expression, a clause without a full stop; "" if it is valid.
std::string fault_of(const Metric& metric);

/// Returns the number in the last match of the expression; empty without a match. Linear in the length of `output`.
std::optional<double> number_in_output(const Metric& metric, std::string_view output);

/// Returns how much worse `value` is than `reference`; negative if it is better.
double worse_by(const Metric& metric, double value, double reference);

/// Tolerance of a search: how much worse than everything in high precision a set may be.
struct ToleranceSpec {
  std::optional<double> share = {};     ///< share of the metric's absolute value with everything in high precision
  std::optional<double> absolute = {};  ///< in the unit of the metric; both empty: within noise
};

/// Parses "2%" as a share and "0.3" as absolute; empty for other text and negative values.
std::optional<ToleranceSpec> tolerance_spec_from(std::string_view text);

/// Returns the tolerance in the metric's unit. `reference` holds the values with everything in high precision, one per
/// seed. ToleranceSpec noise means two standard deviations of these values, or twice `noise` (a standard error) if
/// seeds change nothing; at least one percent of their mean, or for an overflow rate one percent of the steps.
double tolerance_of(const ToleranceSpec& within, const Metric& metric, std::span<const double> reference,
                    std::optional<double> noise);

}  // namespace ampprof::search
