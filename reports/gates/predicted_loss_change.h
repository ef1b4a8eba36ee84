// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

namespace ampprof::queries {
struct ImpactRow;
}

namespace ampprof::gates {

/// Returns the sum of all impacts of one run, over op calls, parameters, inputs and losses. Empty if none was measured.
std::optional<double> predicted_loss_change(const std::vector<queries::ImpactRow>& impacts);

}  // namespace ampprof::gates
