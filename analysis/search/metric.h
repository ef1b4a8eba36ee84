// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace ampprof::search {

/// The figure of a run that a search keeps.
enum class MetricKind {
  FinalLoss,     ///< mean of the last steps, at most 10 (queries::LossSummary::last); NaN where one is not finite
  OverflowRate,  ///< share of the steps with an overflow
  Output,        ///< a number that the program prints
};

struct Metric {
  MetricKind kind = MetricKind::FinalLoss;
  std::string expression = {};  ///< of an Output: its first group is the number
  bool higher = false;          ///< is better

  bool operator==(const Metric&) const = default;
};

/// "loss", "overflows", or a regular expression of RE2 for what the program prints.
Metric metric_from(const std::string& text, bool higher);

/// Returns the text that metric_from() reads back; "higher" is not in it.
std::string name_of(const Metric& metric);

/// Returns what is wrong with an expression, a clause without a full stop; "" where nothing is.
std::string fault_of(const Metric& metric);

/// Returns the number in the last match of the expression; empty without one. Linear in the length of `output`.
std::optional<double> number_in_output(const Metric& metric, std::string_view output);

/// By how much `value` is worse than `reference`; negative where it is better.
double worse_by(const Metric& metric, double value, double reference);

/// How much worse than everything in high precision a set may be.
struct Within {
  std::optional<double> share = {};     ///< of the metric's size there
  std::optional<double> absolute = {};  ///< in the metric's own unit; with neither: within noise
};

/// "2%" is a share, "0.3" absolute; empty for what is neither, or negative.
std::optional<Within> within_from(std::string_view text);

/// Returns the tolerance in the metric's unit, from the values of everything in high precision, one for each seed.
/// Within noise means two standard deviations of these, or twice `noise` (a standard error, where seeds change
/// nothing); at least one percent: of the mean, of an overflow rate of all steps.
double tolerance_of(const Within& within, const Metric& metric, std::span<const double> reference,
                    std::optional<double> noise);

}  // namespace ampprof::search
