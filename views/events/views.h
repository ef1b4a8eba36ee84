// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "views/table/view.h"

namespace ampprof::queries {
struct EventRow;
}

namespace ampprof::views {

View events_view(const std::vector<queries::EventRow>& events);
Json to_json(const queries::EventRow& event);

}  // namespace ampprof::views
