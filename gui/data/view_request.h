// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "analysis/ops/group.h"
#include "reports/queries/report.h"

namespace ampprof::gui {

/// A table as `ampprof show` prints it, before rows are filtered and sorted.
struct ViewRequest {
  std::string name = "ops";                     ///< one of views::all_views()
  std::optional<std::int64_t> run = {};         ///< of all runs where it is empty
  std::optional<analysis::GroupBy> group = {};  ///< of views that take one
  std::optional<queries::StepSpan> steps = {};  ///< of views that take them; all steps where it is empty
  std::optional<std::string> op = {};           ///< regular expressions that call sites must match before they are
  std::optional<std::string> module = {};       ///< grouped; of views that take groups, and of those that filter
  bool in_program_order = false;                ///< of views that take groups; else in the view's own

  bool operator==(const ViewRequest&) const = default;
};

}  // namespace ampprof::gui
