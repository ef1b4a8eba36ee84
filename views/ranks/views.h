// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "views/table/view.h"

namespace ampprof::analysis {
struct CollectiveSite;
struct RankedLaunch;
}  // namespace ampprof::analysis

namespace ampprof::queries {
class Report;
struct RunRow;
}  // namespace ampprof::queries

namespace ampprof::views {

/// Orders ranks by launch and number. Tables of many ranks list the ranks that stand out, and count the other ranks.
View ranks_view(const std::vector<analysis::RankedLaunch>& launches);
/// Returns the view of a report's launches, restricted to `runs`.
View ranks_view(const queries::Report& report, const std::vector<queries::RunRow>& runs);
/// Keeps the order of `sites`, which are sorted by total time, longest first.
View collectives_view(const std::vector<analysis::CollectiveSite>& sites);

}  // namespace ampprof::views
