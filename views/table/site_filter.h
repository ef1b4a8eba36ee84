// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/ops/site_filter.h"
#include "views/table/view.h"

namespace ampprof::views {

/// Returns the call sites that --phase, --op and --module of a selection accept. Throws UsageError for an unknown
/// phase, and for an invalid regular expression with the reason.
analysis::SiteFilter filter_of(const Selection& selection);

/// Tells whether a filter accepts a record, by its keys phase, module and op.
bool is_let_through(const analysis::SiteFilter& filter, const View& view, const Record& record);

}  // namespace ampprof::views
