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

/// One side: the repeats of one level, or a single run.
struct Repeats {
  std::vector<queries::RunRow> runs;
  std::vector<queries::OpRow> ops = {};        ///< of these runs
  std::vector<queries::EventRow> events = {};  ///< of these runs
};

/// A call site of one run.
struct SiteOfRun {
  const queries::OpRow& op;
  double events = 0;  ///< overflow events that began there
};

/// A figure that is compared. Whoever shows it looks its name up. To add one: a line in compare_runs.cpp.
template <class Row>
struct FigureOf {
  std::string_view name;  ///< in JSON: never rename
  Figures kind;
  std::optional<double> (*of)(const Row&);
};

std::span<const FigureOf<queries::RunRow>> run_figures();
std::span<const FigureOf<SiteOfRun>> site_figures();

/// A figure of run_figures() or site_figures(), compared.
struct ComparedFigure : Compared {
  std::string_view name;
  Figures kind = Figures::Reproducible;
};

struct SiteDifference {
  SitePair sites;
  std::vector<ComparedFigure> figures;  ///< of site_figures()

  /// The largest change of its figures, of those with the strongest verdict only.
  double change() const;
  /// Weight of what a list begins with is larger: a difference, then one that cannot be told, of figures that should
  /// agree before those that never do, then none; call sites of one side only come last.
  int weight() const;
};

/// Returns the figure of that name; there must be one.
const ComparedFigure& figure_named(const std::vector<ComparedFigure>& figures, std::string_view name);

/// Points to its own call sites and to rows of both sides: to be moved, not copied.
struct Difference {
  std::vector<Site> sites_a;
  std::vector<Site> sites_b;
  std::vector<ComparedFigure> runs;   ///< of run_figures()
  std::vector<SiteDifference> sites;  ///< the largest change first
  std::vector<Rename> suggestions;    ///< renames that were not applied

  std::size_t count(Match match) const;
  /// Call sites of both sides by their strongest verdict: one figure that differs, else one that cannot be told.
  std::size_t count(Verdict verdict) const;
  /// Rank tests that could tell.
  std::size_t tested() const;
};

struct Options {
  TestSettings confidence = {};
  std::vector<std::pair<std::string, std::string>> renames = {};  ///< fronts of module paths, of A to B
  bool apply_suggestions = false;
};

/// `a` and `b` must outlive the result, which points to their rows.
Difference compare_runs(const Repeats& a, const Repeats& b, const Options& options);

}  // namespace ampprof::compare
