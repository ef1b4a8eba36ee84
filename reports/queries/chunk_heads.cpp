// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/chunk_heads.h"

#include "reports/records/saturating_add.h"

namespace ampprof::queries {

std::optional<std::vector<ChunkHead>> few_heads(const Report& report, std::int64_t run, const TimeSpan& span,
                                                TrackKind kind, std::int64_t most) {
  std::vector<ChunkHead> heads;
  std::int64_t count = 0;
  each_head(report, run, span, kind, [&](const ChunkHead& head, store::Statement&) {
    saturating_add(count, head.count);
    if (count <= most) heads.push_back(head);
  });
  if (count > most) return std::nullopt;
  return heads;
}

}  // namespace ampprof::queries
