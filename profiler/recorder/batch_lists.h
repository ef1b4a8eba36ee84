// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>
#include <vector>

#include "reports/records/batch.h"

namespace ampprof::profiler {

/// Calls `visit` with each list of the batch. Does not compile until every list of Batch is named here, because a list
/// that is not cleared would be written twice.
template <typename Visit>
void each_list(Batch& batch, Visit visit) {
  const auto each = [&](auto&... lists) { (visit(lists), ...); };
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, ab] = batch;
  each(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, ab);
}

/// Calls `visit` with each list whose records have a segment, together with the same list of `other`.
template <typename Visit>
void each_list_with_segments(Batch& batch, Batch& other, Visit visit) {
  each_list(batch, [&]<typename Record>(std::vector<Record>& list) {
    if constexpr (requires(Record record) { record.segment; }) {
      each_list(other, [&]<typename Other>(std::vector<Other>& of_other) {
        if constexpr (std::is_same_v<Record, Other>) visit(list, of_other);
      });
    }
  });
}

}  // namespace ampprof::profiler
