// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "reports/gates/evidence.h"
#include "reports/gates/units.h"

namespace ampprof::gates {

/// How several values become one.
enum class Reduce { Largest, Smallest, Sum, Mean, Median };

/// NaN where one of `values` is NaN. `values` must not be empty.
double reduced(Reduce reduce, std::vector<double> values);

using RunValue = std::optional<double> (*)(const RunEvidence&);
/// Counts what a pattern names.
using NamedValue = double (*)(const RunEvidence&, std::string_view pattern);
/// A value of each call site, and how those of one run become one.
struct SiteValue {
  std::optional<double> (*of)(const SiteEvidence&);
  Reduce over_sites;
};

/// A name that rules may use. To add one: a line in metrics.cpp.
struct Metric {
  std::string_view name;
  Unit unit;
  Reduce over_runs;  ///< the repeats of a level
  std::string_view meaning;
  std::variant<RunValue, NamedValue, SiteValue> value;

  bool takes_phase() const { return std::holds_alternative<SiteValue>(value); }
  bool takes_pattern() const { return !std::holds_alternative<RunValue>(value); }
};

std::span<const Metric> all_metrics();

/// Null for an unknown name.
const Metric* metric_named(std::string_view name);

std::vector<std::string> metric_names();

/// One line per metric: name and arguments, meaning.
std::string metric_help();

}  // namespace ampprof::gates
