// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/ops/site_filter.h"
#include "views/table/view.h"

namespace ampprof::views {

/// Returns the call sites that --phase, --op and --module of a selection let through. Throws UsageError for a word that
/// is no phase, and for a wrong regular expression with what is wrong.
analysis::SiteFilter filter_of(const Selection& selection);

/// Tells whether a filter lets a record through, by its keys phase, module and op.
bool is_let_through(const analysis::SiteFilter& filter, const View& view, const Record& record);

}  // namespace ampprof::views
