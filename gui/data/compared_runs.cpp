// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/compared_runs.h"

#include <utility>

#include "gui/data/compared_side.h"
#include "gui/data/report_file.h"
#include "views/compare/difference.h"
#include "views/compare/signs.h"

namespace ampprof::gui {

ComparedRuns compared(const ReportFile& file_of_a, const std::string& runs_of_a, const ReportFile& file_of_b,
                      const std::string& runs_of_b) {
  ComparedSide a = file_of_a.side(runs_of_a);
  ComparedSide b = file_of_b.side(runs_of_b);
  const analysis::OwnedComparison owned(std::move(a.records), std::move(b.records), {});
  const analysis::SideBySide sides = owned.side_by_side();
  ComparedRuns comparison{.figures = views::run_difference_view(sides),
                          .sites = views::site_difference_view(sides),
                          .said = views::evidence_of(sides),
                          .first = firstDifference(a.sketches, b.sketches)};
  const std::string legend = views::legend(comparison.figures, comparison.sites);
  if (!legend.empty()) comparison.said.push_back({"In the tables, " + legend + '.'});
  return comparison;
}

}  // namespace ampprof::gui
