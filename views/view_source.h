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

/// Reads what views are made from, of some or all runs of a report.
struct ViewSource {
  const queries::Report& report;
  const std::vector<queries::RunRow>& runs;  ///< no other is read
  analysis::Targets targets;
  std::optional<analysis::Grouping> grouping = {};  ///< of the views that take one
  analysis::SiteFilter filter = {};                 ///< of the views whose rows are made of several call sites

  std::optional<queries::StepSpan> steps = {};  ///< of the views that take them: all steps where it is empty

  std::shared_ptr<const std::vector<queries::OpRow>> read_ops = {};

  /// Reads them once: several views are made from them. Tensor Core rules learn from all ops what a single one does not
  /// tell.
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

/// Everything that the summary draws from. Of many ranks, op calls are read of those that stand for them alone; targets
/// have learned from these then.
analysis::ReportRows rows_of(ViewSource& source);

/// Returns answer() of these rows.
std::vector<Sentence> answer_of(ViewSource& source);

/// Returns summary() of these rows; an op strays from an inherited error of `threshold` on.
std::string summary_of(ViewSource& source, const std::filesystem::path& report, double threshold, Format format,
                       const text::Terminal& terminal);

}  // namespace ampprof::views
