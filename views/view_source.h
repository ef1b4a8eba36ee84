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

/// Reads the rows that views need from a report, for some or all of its runs.
struct ViewSource {
  const queries::Report& report;
  const std::vector<queries::RunRow>& runs;  ///< runs whose rows are read
  analysis::Targets targets;
  std::optional<analysis::Grouping> grouping = {};  ///< for views that take a grouping
  analysis::SiteFilter filter = {};                 ///< for views with NamedView::filters_sites

  std::optional<queries::StepSpan> steps = {};  ///< for views that --steps restricts; empty: all steps

  std::shared_ptr<const std::vector<queries::OpRow>> read_ops = {};

  /// Returns the op rows of `runs`, which are read once for all views. The first call also passes the rows to
  /// `targets`, because Tensor Core rules need facts that a single op does not show.
  const std::vector<queries::OpRow>& ops();
  /// Returns the rows that the query `read` finds in each of `runs`, as in of_runs(queries::events).
  template <class Row>
  std::vector<Row> of_runs(std::vector<Row> (*read)(const queries::Report&, queries::RunFilter)) const {
    return joined([&](std::int64_t run) { return read(report, run); });
  }
  /// Returns the rows that the query `read` finds in `steps` of each of `runs`, as in of_steps(queries::casts).
  template <class Row>
  std::vector<Row> of_steps(std::vector<Row> (*read)(const queries::Report&, queries::RunFilter,
                                                     const queries::StepFilter&)) const {
    return joined([&](std::int64_t run) { return read(report, run, steps); });
  }

  std::vector<queries::MissingRow> missing() const;
  /// Returns the ids and levels of `runs`.
  std::vector<queries::RunName> names() const;

 private:
  template <class Read>
  auto joined(Read read) const {
    decltype(read(std::int64_t{})) all;
    for (const queries::RunName& run : names()) std::ranges::move(read(run.id), std::back_inserter(all));
    return all;
  }
};

/// Returns all rows for the summary. For a report with many ranks, reads the op rows of representative ranks only.
/// Passes the op rows to `source.targets`.
analysis::ReportRows rows_of(ViewSource& source);

/// Returns answer() for the rows of a source.
std::vector<Sentence> answer_of(ViewSource& source);

/// Returns summary() for the rows of a source. An op has diverged if its inherited error is `threshold` or more.
std::string summary_of(ViewSource& source, const std::filesystem::path& report, double threshold, Format format,
                       const text::Terminal& terminal);

}  // namespace ampprof::views
