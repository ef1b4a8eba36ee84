// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/ops/site_filter.h"
#include "gui/data/run_place.h"
#include "views/table/view.h"

/// Reads rows of the view "ranks": which a reader wants to see, what marks them, where they lead.
namespace ampprof::gui {

/// The ranks that a reader wants to see. The pattern is looked for in the level, "rank 3", the host, the first op with a
/// NaN or inf, and what stands out.
struct RankFilter {
  analysis::Pattern pattern = {};
  bool only_standing_out = false;

  bool letsThrough(const views::View& view, const views::Record& record) const;
};

/// Puts what stands out of a rank beside its number, which gets its tone: there a reader looks first.
void putMarksFirst(views::View& view);

/// Returns the run of a rank, and the step in which it first differed from others or saw a NaN or inf.
RunPlace placeOf(const views::View& view, const views::Record& record);

/// Tells whether a rank saw an overflow.
bool sawOverflow(const views::View& view, const views::Record& record);

}  // namespace ampprof::gui
