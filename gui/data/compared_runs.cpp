// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/compared_runs.h"

#include <utility>

#include "gui/data/compared_side.h"
#include "gui/data/report_file.h"
#include "views/compare/difference.h"

namespace ampprof::gui {

ComparedRuns compared(const ReportFile& file_of_a, const std::string& runs_of_a, const ReportFile& file_of_b,
                      const std::string& runs_of_b) {
  ComparedSide a = file_of_a.side(runs_of_a);
  ComparedSide b = file_of_b.side(runs_of_b);
  const analysis::Compilation compilation(std::move(a.records), std::move(b.records), {});
  return {views::run_difference_view(compilation.side_by_side()),
          views::site_difference_view(compilation.side_by_side()), firstDifference(a.sketches, b.sketches)};
}

}  // namespace ampprof::gui
