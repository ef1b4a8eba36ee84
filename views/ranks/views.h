// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/ranks/collectives.h"
#include "analysis/ranks/ranks.h"
#include "views/table/view.h"

namespace ampprof::views {

/// Orders by launch and rank. Long tables name the ranks that stand out, and count the others.
View ranks_view(const std::vector<analysis::RankedLaunch>& launches);
/// Orders as they come, which is those that take longest in all first.
View collectives_view(const std::vector<analysis::CollectiveSite>& sites);

}  // namespace ampprof::views
