// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "views/table/view.h"

namespace ampprof::queries {
struct MissingRow;
struct RunRow;
}  // namespace ampprof::queries

namespace ampprof::views {

/// Returns a view of GPU activity of `runs`. If they have no GPU activity, sets View::none and View::remedy to why and
/// what to do. `missing`: missing data of these runs.
View with_reason_for_no_gpu(View view, const std::vector<queries::RunRow>& runs,
                            const std::vector<queries::MissingRow>& missing);

}  // namespace ampprof::views
