// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/ops/site_filter.h"
#include "gui/data/run_place.h"
#include "views/table/view.h"

/// Functions for the rows of the view "ranks": filter, marks and navigation.
namespace ampprof::gui {

/// Filter for ranks. The pattern is searched in the level, "rank 3", the host, the first op with a NaN or inf, and the
/// column "stands out".
struct RankFilter {
  analysis::Pattern pattern = {};
  bool only_standing_out = false;

  bool letsThrough(const views::View& view, const views::Record& record) const;
};

/// Moves the column "stands out" next to the rank number, and paints the numbers of ranks that stand out in the tone of
/// that column.
void putMarksFirst(views::View& view);

/// Returns the run of a rank, and the first step in which it diverged from other ranks or had a NaN or inf.
RunPlace placeOf(const views::View& view, const views::Record& record);

/// Tells whether a rank had an overflow.
bool sawOverflow(const views::View& view, const views::Record& record);

}  // namespace ampprof::gui
