// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <tuple>

#include "reports/queries/pack_heads.h"
#include "reports/queries/rows.h"

namespace ampprof {
std::optional<std::vector<SpanWork>> span_works(Database& database, std::int64_t run, const TimeSpan& span,
                                                std::int64_t most_works) {
  const auto heads = few_heads(database, run, span, LaneKind::Streams, most_works);
  if (!heads) return std::nullopt;
  std::vector<SpanWork> works;
  WorkReader packs(database, run);
  for (const PackHead& head : *heads) {
    packs.each(head, [&](const DeviceWork& work, const SiteInStep& place) {
      if (overlap(span_of(work), span)) works.push_back({work, place});
    });
  }
  std::ranges::stable_sort(works, {}, [](const SpanWork& entry) {
    return std::tuple(entry.work.device, entry.work.stream, entry.work.start_ns);
  });
  return works;
}

void each_span_work(Database& database, std::int64_t run, const std::function<void(const SpanWork&)>& show) {
  WorkReader packs(database, run);
  each_head(database, run, kAnyTime, LaneKind::Streams, [&](const PackHead& head, Statement&) {
    packs.each(head, [&](const DeviceWork& work, const SiteInStep& place) { show({work, place}); });
  });
}

}  // namespace ampprof
