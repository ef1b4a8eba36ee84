// SPDX-License-Identifier: Apache-2.0
#include "analysis/search/metric.h"

#include <re2/re2.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "analysis/search/sequential_test.h"

namespace ampprof::search {
namespace {

constexpr std::string_view kLoss = "loss";
constexpr std::string_view kOverflows = "overflows";
constexpr double kLeast = 0.01;
constexpr double kDeviations = 2.0;

/// Returns the number in a text; empty unless the whole text is a number.
std::optional<double> number_from(std::string_view text) {
  double value = 0.0;
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

Metric metric_from(const std::string& text, bool higher) {
  if (text == kLoss) return {.kind = MetricKind::FinalLoss, .expression = {}, .higher = higher};
  if (text == kOverflows) return {.kind = MetricKind::OverflowRate, .expression = {}, .higher = higher};
  return {.kind = MetricKind::Output, .expression = text, .higher = higher};
}

std::string name_of(const Metric& metric) {
  switch (metric.kind) {
    case MetricKind::FinalLoss:
      return std::string(kLoss);
    case MetricKind::OverflowRate:
      return std::string(kOverflows);
    case MetricKind::Output:
      return metric.expression;
  }
  return "";
}

std::string fault_of(const Metric& metric) {
  if (metric.kind != MetricKind::Output) return "";
  const re2::RE2 expression(metric.expression, re2::RE2::Quiet);
  if (!expression.ok()) return "is not a regular expression: " + expression.error();
  if (expression.NumberOfCapturingGroups() == 0) return "has no group in parentheses for the number";
  return "";
}

std::optional<double> number_in_output(const Metric& metric, std::string_view output) {
  const re2::RE2 expression(metric.expression, re2::RE2::Quiet);
  if (!expression.ok()) return std::nullopt;
  re2::StringPiece rest(output.data(), output.size());
  std::optional<double> last;
  for (std::string number; !rest.empty() && re2::RE2::FindAndConsume(&rest, expression, &number);) {
    if (const auto value = number_from(number)) last = value;
    if (number.empty() && !rest.empty()) rest.remove_prefix(1);  // an empty match does not advance
  }
  return last;
}

double worse_by(const Metric& metric, double value, double reference) {
  return metric.higher ? reference - value : value - reference;
}

std::optional<ToleranceSpec> tolerance_spec_from(std::string_view text) {
  const bool is_share = text.ends_with('%');
  if (is_share) text.remove_suffix(1);
  const auto value = number_from(text);
  if (!value || !(*value >= 0.0) || !std::isfinite(*value)) return std::nullopt;
  return is_share ? ToleranceSpec{.share = *value / 100.0, .absolute = {}}
                  : ToleranceSpec{.share = {}, .absolute = *value};
}

double tolerance_of(const ToleranceSpec& within, const Metric& metric, std::span<const double> reference,
                    std::optional<double> noise) {
  if (within.absolute) return *within.absolute;
  const Estimate estimate = estimate_of(reference);
  const double size = std::abs(estimate.mean);
  if (within.share) return *within.share * size;
  const auto n = static_cast<double>(reference.size());
  const double between_seeds = estimate.standard_error.value_or(0.0) * std::sqrt(n);
  const double least = metric.kind == MetricKind::OverflowRate ? kLeast : kLeast * size;
  return std::max({least, kDeviations * between_seeds, kDeviations * noise.value_or(0.0)});
}

}  // namespace ampprof::search
