// SPDX-License-Identifier: Apache-2.0
#include "reports/gates/predicted_loss_change.h"

#include "reports/queries/impacts.h"

namespace ampprof::gates {

std::optional<double> predicted_loss_change(const std::vector<queries::ImpactRow>& impacts) {
  std::optional<double> sum;
  for (const queries::ImpactRow& row : impacts) {
    if (row.impact) sum = sum.value_or(0.0) + *row.impact;
  }
  return sum;
}

}  // namespace ampprof::gates
