// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/first_difference.h"

#include "reports/compare/first_difference.h"
#include "views/compare/first_difference.h"

namespace ampprof::gui {

std::optional<FirstDifference> firstDifference(const std::vector<compare::Sketches>& a,
                                               const std::vector<compare::Sketches>& b) {
  const auto found = compare::first_difference(a, b, compare::Strictness::BeyondNoise);
  if (found.compared == 0) return std::nullopt;
  return FirstDifference{.sentences = views::sentences_of(found),
                         .call_site = found.first ? found.differing[*found.first].a->call_site : "",
                         .growth = views::growth_of(found)};
}

}  // namespace ampprof::gui
