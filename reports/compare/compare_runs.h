// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/compare/compare_samples.h"
#include "reports/compare/match.h"
#include "reports/compare/renames.h"
#include "reports/queries/events.h"
#include "reports/queries/ops.h"
#include "reports/queries/runs.h"

/// Two selections of runs side by side: report against report, level against level, run against run.
namespace ampprof::compare {

/// One side of a comparison: the repeats of one level, or a single run.
struct Repeats {
  std::vector<queries::RunRow> runs;
  std::vector<queries::OpRow> ops = {};        ///< rows of these runs
  std::vector<queries::EventRow> events = {};  ///< rows of these runs
};

/// A call site of one run.
struct SiteOfRun {
  const queries::OpRow& op;
  double events = 0;  ///< overflow events that began at this call site
};

/// A metric to compare. Front ends look up its title by name. To add a metric: a line in compare_runs.cpp.
template <class Row>
struct MetricOf {
  std::string_view name;  ///< in JSON: never rename
  Repeatability kind;
  std::optional<double> (*of)(const Row&);
};

std::span<const MetricOf<queries::RunRow>> run_metrics();
std::span<const MetricOf<SiteOfRun>> site_metrics();

/// A comparison of one metric of run_metrics() or site_metrics().
struct ComparedMetric : Compared {
  std::string_view name;
  Repeatability kind = Repeatability::Reproducible;
};

struct SiteDifference {
  SitePair sites;
  std::vector<ComparedMetric> figures;  ///< one for each of site_metrics()

  /// Returns the largest change among the metrics with the strongest verdict.
  double change() const;
  /// Returns the importance of the strongest verdict: 3 for a difference, 2 for "cannot tell" on a reproducible metric,
  /// 1 for "cannot tell" on a noisy metric, 0 for no difference. -1 for a call site that only one side has.
  int weight() const;
};

/// Returns the metric with this name, which must exist.
const ComparedMetric& metric_named(const std::vector<ComparedMetric>& figures, std::string_view name);

/// The result of a comparison. Holds pointers into its own `sites_a` and `sites_b` and to rows of both sides: move it,
/// do not copy it.
struct Difference {
  std::vector<Site> sites_a;
  std::vector<Site> sites_b;
  std::vector<ComparedMetric> runs;   ///< one for each of run_metrics()
  std::vector<SiteDifference> sites;  ///< the highest weight first, then the largest change
  std::vector<Rename> suggestions;    ///< renames that were not applied

  std::size_t count(Match match) const;
  /// Counts the call sites of both sides whose strongest verdict is `verdict`. The order of strength: Differs,
  /// CannotTell, Same.
  std::size_t count(Verdict verdict) const;
  /// Counts the rank tests of call sites that had enough repeats for a verdict.
  std::size_t tested() const;
};

struct Options {
  TestSettings confidence = {};
  std::vector<std::pair<std::string, std::string>> renames = {};  ///< path prefixes to rename, from A to B
  bool apply_suggestions = false;
};

/// `a` and `b` must outlive the result, which points to their rows.
Difference compare_runs(const Repeats& a, const Repeats& b, const Options& options);

}  // namespace ampprof::compare
