// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/ops/group.h"
#include "analysis/ops/targets.h"
#include "reports/queries/report.h"
#include "reports/queries/run_names.h"
#include "views/table/format.h"
#include "views/table/sentence.h"

namespace ampprof::analysis {
struct ReportRows;
}

namespace ampprof::queries {
struct MissingRow;
struct OpRow;
struct RunRow;
}  // namespace ampprof::queries

namespace ampprof::views {

/// Reads the rows that views need, of some or all runs of a report.
struct ViewSource {
  const queries::Report& report;
  const std::vector<queries::RunRow>& runs;  ///< runs whose rows are read
  analysis::Targets targets;
  std::optional<analysis::Grouping> grouping = {};  ///< for views that take a grouping
  analysis::SiteFilter filter = {};                 ///< for views whose rows may merge call sites

  std::optional<queries::StepSpan> steps = {};  ///< for views with a range of steps; empty: all

  std::shared_ptr<const std::vector<queries::OpRow>> read_ops = {};

  /// Returns the op rows of `runs`, read once for all views. The first call also lets `targets` learn from them: Tensor
  /// Core rules need facts that a single op does not show.
  const std::vector<queries::OpRow>& ops();
  /// Returns the rows that a query reads from each of `runs`: of_runs(queries::events).
  template <class Row>
  std::vector<Row> of_runs(std::vector<Row> (*read)(const queries::Report&, queries::RunFilter)) const {
    return joined([&](std::int64_t run) { return read(report, run); });
  }
  /// Returns the rows that a query reads from `steps` of each run, or from all steps: of_steps(queries::casts).
  template <class Row>
  std::vector<Row> of_steps(std::vector<Row> (*read)(const queries::Report&, queries::RunFilter,
                                                     const queries::StepFilter&)) const {
    return joined([&](std::int64_t run) { return read(report, run, steps); });
  }

  std::vector<queries::MissingRow> missing() const;
  /// Returns ids and levels of `runs`.
  std::vector<queries::RunName> names() const;

 private:
  template <class Read>
  auto joined(Read read) const {
    decltype(read(std::int64_t{})) all;
    for (const queries::RunName& run : names()) std::ranges::move(read(run.id), std::back_inserter(all));
    return all;
  }
};

/// Returns all rows for the summary. For a report with many ranks, reads op calls of the representatives only. Lets
/// `source.targets` learn from the ops.
analysis::ReportRows rows_of(ViewSource& source);

/// Returns answer() for the rows of a source.
std::vector<Sentence> answer_of(ViewSource& source);

/// Returns summary() for the rows of a source. An op counts as diverged if its inherited error is `threshold` or more.
std::string summary_of(ViewSource& source, const std::filesystem::path& report, double threshold, Format format,
                       const text::Terminal& terminal);

}  // namespace ampprof::views
