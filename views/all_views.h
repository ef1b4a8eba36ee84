// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

#include "analysis/ops/group.h"
#include "analysis/ops/targets.h"
#include "reports/queries/ops.h"
#include "reports/queries/report.h"
#include "reports/queries/runs.h"
#include "views/diagnosis/answer.h"
#include "views/diagnosis/missing.h"

namespace ampprof::views {

/// Reads what views are made from, of some or all runs of a report.
struct ViewSource {
  const queries::Report& report;
  const std::vector<queries::RunRow>& runs;  ///< no other is read
  analysis::Targets targets;
  std::optional<analysis::Grouping> grouping = {};  ///< of the views that take one
  analysis::SiteFilter filter = {};                 ///< of the views whose rows are made of several call sites

  std::optional<queries::StepSpan> steps = {};  ///< of the views that take them: all steps where it is empty

  std::optional<std::vector<queries::OpRow>> read_ops = {};

  /// Reads them once: several views are made from them. Tensor Core rules learn from all ops what a single one does not tell.
  const std::vector<queries::OpRow>& ops();
  /// Returns the rows of all runs: of_runs(queries::events).
  template <class Row>
  std::vector<Row> of_runs(std::vector<Row> (*read)(const queries::Report&, queries::RunFilter)) const {
    return joined([&](std::int64_t run) { return read(report, run); });
  }
  /// Returns the rows of `steps`, or of all steps: of_steps(queries::casts).
  template <class Row>
  std::vector<Row> of_steps(std::vector<Row> (*read)(const queries::Report&, queries::RunFilter,
                                                     const queries::StepFilter&)) const {
    return joined([&](std::int64_t run) { return read(report, run, steps); });
  }

  std::vector<queries::MissingRow> missing() const { return missing_of(report, runs); }

 private:
  template <class Read>
  auto joined(Read read) const {
    decltype(read(std::int64_t{})) all;
    for (const queries::RunRow& run : runs) std::ranges::move(read(run.run), std::back_inserter(all));
    return all;
  }
};

struct NamedView {
  const char* name;
  View (*make)(ViewSource&);
  bool takes_grouping = false;  ///< its rows are those of call sites
  bool takes_steps = false;     ///< its rows are what op calls come to, of some steps or all
  bool filters_sites = false;   ///< it looks at ViewSource::filter itself
};

/// Everything that the summary draws from. Of many ranks, op calls are read of those that stand for them alone; targets
/// have learned from these then.
analysis::ReportRows rows_of(ViewSource& source);

/// The views of `ampprof show` that are tables, in the order of the help.
const std::vector<NamedView>& all_views();

}  // namespace ampprof::views
