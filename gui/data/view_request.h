// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "analysis/ops/group.h"
#include "reports/queries/report.h"

namespace ampprof::gui {

/// Request to read a table of `ampprof show`. Filters and sorting of its rows follow later.
struct ViewRequest {
  std::string name = "ops";                     ///< name of one of views::all_views()
  std::optional<std::int64_t> run = {};         ///< all runs if empty
  std::optional<analysis::GroupBy> group = {};  ///< how to group rows, for views that support groups
  std::optional<queries::StepSpan> steps = {};  ///< restricts views that support steps; all steps if empty
  /// Regular expression for ops, which filters call sites before grouping.
  std::optional<std::string> op = {};
  /// Like `op`, for modules; both only for views that support groups or filters.
  std::optional<std::string> module = {};
  /// Sort by program order, for views that support groups; false: the view's own order.
  bool in_program_order = false;

  bool operator==(const ViewRequest&) const = default;
};

}  // namespace ampprof::gui
