// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ampprof::gates {

struct RunEvidence;
struct SiteEvidence;

enum class Dimension { None, Time, Memory };

/// Unit of a value. Units of one dimension convert into each other.
struct Unit {
  std::string_view name = "";  ///< "" for a plain number
  Dimension dimension = Dimension::None;
  double factor = 1.0;  ///< size in nanoseconds or bytes, an integer for exact conversion; 0.01 for %

  bool is_plain() const { return dimension == Dimension::None; }
  bool operator==(const Unit&) const = default;
};

inline constexpr Unit kPlain{};
inline constexpr Unit kMilliseconds{"ms", Dimension::Time, 1e6};
inline constexpr Unit kMicroseconds{"us", Dimension::Time, 1e3};
inline constexpr Unit kBytes{"B", Dimension::Memory, 1.0};

/// Parses the unit after a number: "ms", "GB", "MiB", "%"; null for other text.
const Unit* unit_named(std::string_view name);

std::vector<std::string> unit_names();

/// Returns "a time", "a size in memory" or "a plain number".
std::string_view name_of(Dimension dimension);

/// Ways to combine several values into one.
enum class Reduce { Largest, Smallest, Sum, Mean, Median };

/// Combines values. NaN if one of `values` is NaN. `values` must not be empty.
double reduced(Reduce reduce, std::vector<double> values);

using RunValue = std::optional<double> (*)(const RunEvidence&);
/// Computes a metric of a run that counts items whose names match a pattern.
using NamedValue = std::optional<double> (*)(const RunEvidence&, std::string_view pattern);
/// A value per call site, and how the values of one run's call sites are combined.
struct SiteValue {
  std::optional<double> (*of)(const SiteEvidence&);
  Reduce over_sites;
};

/// A metric that rules can name. To add a metric: a line in metrics.cpp.
struct Metric {
  std::string_view name;
  Unit unit;
  Reduce over_runs;  ///< how the repeats of a level are combined
  std::string_view meaning;
  std::variant<RunValue, NamedValue, SiteValue> value;

  bool takes_phase() const { return std::holds_alternative<SiteValue>(value); }
  bool takes_pattern() const { return !std::holds_alternative<RunValue>(value); }
};

std::span<const Metric> all_metrics();

/// Returns the metric with this name; null if there is none.
const Metric* metric_named(std::string_view name);

std::vector<std::string> metric_names();

/// Returns one line per metric: name and arguments, meaning.
std::string metric_help();

}  // namespace ampprof::gates
