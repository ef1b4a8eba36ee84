// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "views/table/view.h"

namespace ampprof::queries {
struct MissingRow;
struct RunRow;
}  // namespace ampprof::queries

namespace ampprof::views {

/// Returns `view`, a view of GPU activity. If `runs` have no GPU activity, sets View::none to the reason and
/// View::remedy to what to do. `missing` is the missing data of `runs`.
View with_reason_for_no_gpu(View view, const std::vector<queries::RunRow>& runs,
                            const std::vector<queries::MissingRow>& missing);

}  // namespace ampprof::views
