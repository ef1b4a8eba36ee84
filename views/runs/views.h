// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/queries/runs.h"
#include "views/table/view.h"

namespace ampprof::views {

View runs_view(const std::vector<queries::RunRow>& runs);
Json to_json(const queries::RunRow& run);

}  // namespace ampprof::views
