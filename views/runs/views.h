// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "views/table/view.h"

namespace ampprof::queries {
struct RunRow;
}

namespace ampprof::views {

/// Returns the number of steps, or of calls of an inference run: "20", "6 calls".
std::string steps_text(const queries::RunRow& run);
View runs_view(const std::vector<queries::RunRow>& runs);
Json to_json(const queries::RunRow& run);

}  // namespace ampprof::views
