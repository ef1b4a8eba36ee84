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

/// Unit that a value is counted in. Units of one dimension convert into each other.
struct Unit {
  std::string_view name = "";  ///< "" for a plain number
  Dimension dimension = Dimension::None;
  double factor = 1.0;  ///< nanoseconds or bytes in one: whole numbers, so that converting loses nothing

  bool is_plain() const { return dimension == Dimension::None; }
  bool operator==(const Unit&) const = default;
};

inline constexpr Unit kPlain{};
inline constexpr Unit kMilliseconds{"ms", Dimension::Time, 1e6};
inline constexpr Unit kMicroseconds{"us", Dimension::Time, 1e3};
inline constexpr Unit kBytes{"B", Dimension::Memory, 1.0};

/// A unit as it stands behind a number: "ms", "GB", "MiB", "%"; null for any other text.
const Unit* unit_named(std::string_view name);

std::vector<std::string> unit_names();

/// "a time", "a size in memory", "a plain number".
std::string_view name_of(Dimension dimension);

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
