// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/flushed_input.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

#include "analysis/diagnosis/symptoms.h"
#include "reports/queries/ops.h"

namespace ampprof::analysis {

const queries::OpRow* flushed_input_of(const queries::OpRow& op, const Symptoms& symptoms) {
  constexpr std::size_t kNear = 2;
  std::vector<const queries::OpRow*> before;
  for (const queries::OpRow* other : symptoms.ops) {
    const bool is_before =
        other->phase == op.phase && other->module == op.module && other->call_site_id < op.call_site_id;
    if (is_before && other->local) before.push_back(other);
  }
  std::ranges::sort(before, std::greater(), &queries::OpRow::call_site_id);
  before.resize(std::min(before.size(), kNear));
  const auto found =
      std::ranges::find_if(before, [](const queries::OpRow* other) { return other->local->flushed > 0; });
  return found == before.end() ? nullptr : *found;
}

}  // namespace ampprof::analysis
