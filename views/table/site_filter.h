// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/ops/site_filter.h"
#include "views/table/view.h"

namespace ampprof::views {

/// Returns the filter for the --phase, --op and --module of a selection. Throws UsageError for an unknown phase, and,
/// with the reason, for an invalid regular expression.
analysis::SiteFilter filter_of(const Selection& selection);

/// Returns whether a filter accepts a record, judged by its values of phase, module and op.
bool is_let_through(const analysis::SiteFilter& filter, const View& view, const Record& record);

}  // namespace ampprof::views
