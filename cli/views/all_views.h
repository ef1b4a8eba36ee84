// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

#include "cli/views/answer.h"
#include "cli/views/views.h"

namespace ampprof::cli {

/// What views are made from: some or all runs of a report.
struct ViewSource {
  const Report& report;
  const std::vector<RunRow>& runs;  ///< no other is read
  Targets targets;
  std::optional<Grouping> grouping = {};  ///< of the views that take one
  SiteFilter filter{Selection{}};         ///< of the views whose rows are made of several call sites

  std::optional<std::vector<OpRow>> read_ops = {};

  /// Read once: several views are made from them. Tensor Core rules learn from all ops what a single one does not tell.
  const std::vector<OpRow>& ops();
  /// From here on ops() are those of these steps alone: see Report::ops_in().
  void read_steps(const StepSpan& steps);
  /// `ops` are those from here on; the targets learn from them, and from what was asked about their products.
  const std::vector<OpRow>& keep(std::vector<OpRow> ops);

  /// The rows of all runs: of_runs(&Report::casts).
  template <class Row>
  std::vector<Row> of_runs(std::vector<Row> (Report::*read)(std::optional<std::int64_t>) const) const {
    std::vector<Row> all;
    for (const RunRow& run : runs) {
      std::vector<Row> rows = (report.*read)(run.run);
      std::move(rows.begin(), rows.end(), std::back_inserter(all));
    }
    return all;
  }

  std::vector<MissingRow> missing() const { return missing_of(report, runs); }
};

struct NamedView {
  const char* name;
  View (*make)(ViewSource&);
  bool takes_grouping = false;  ///< its rows are those of call sites
  bool takes_steps = false;     ///< it is made from ops() alone
  bool filters_sites = false;   ///< it looks at ViewSource::filter itself
};

/// Everything that the summary draws from.
Findings findings_of(ViewSource& source);

/// The views of `ampprof show` that are tables, in the order of the help.
const std::vector<NamedView>& all_views();

}  // namespace ampprof::cli
