// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/records/batch.h"

namespace ampprof::profiler {

/// Calls `visit` with each of the batch's lists. A list that is added to Batch and not here does not compile: left
/// uncleared it would be written twice.
template <typename Visit>
void each_list(Batch& batch, Visit visit) {
  const auto each = [&](auto&... lists) { (visit(lists), ...); };
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, ab] = batch;
  each(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, ab);
}

}  // namespace ampprof::profiler
