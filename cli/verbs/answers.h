// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/verbs/verb.h"
#include "views/table/value.h"

/// Results of verbs as JSON, for `ampprof mcp`. The functions throw UsageError and ReportError.
namespace ampprof::cli {

/// Returns the result of `ampprof show` with these arguments: `rows`, and `rows_left_out`, the number of rows that
/// --limit cut. For the summary, `rows` is an object.
views::Json shown(const Arguments& arguments);

/// Returns the result of `ampprof sql`: `rows`, at most `limit`, and `has_more`. Without a query, returns the tables
/// and their columns.
views::Json queried(const std::string& report, const std::string& query, std::size_t limit);

}  // namespace ampprof::cli
