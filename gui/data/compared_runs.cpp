// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/compared_runs.h"

#include <utility>

#include "views/compare/first_difference.h"

namespace ampprof::gui {

ComparedRuns compared(ComparedSide a, ComparedSide b) {
  const analysis::Compilation compilation(std::move(a.records), std::move(b.records), {});
  return {views::run_difference_view(compilation.side_by_side()),
          views::site_difference_view(compilation.side_by_side()), firstDifference(a.sketches, b.sketches)};
}

std::optional<FirstDifference> firstDifference(const std::vector<compare::Sketches>& a,
                                               const std::vector<compare::Sketches>& b) {
  const auto found = compare::first_difference(a, b, compare::Strictness::BeyondNoise);
  if (found.compared == 0) return std::nullopt;
  return FirstDifference{.sentences = views::sentences_of(found),
                         .call_site = found.first ? found.differing[*found.first].a->call_site : "",
                         .growth = views::growth_of(found)};
}

}  // namespace ampprof::gui
