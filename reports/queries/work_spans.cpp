// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <tuple>

#include "reports/queries/pack_heads.h"
#include "reports/queries/rows.h"

namespace ampprof {
namespace {

constexpr const char* kRanges =
    "SELECT thread, depth, name, start_ns, end_ns FROM marked_range "
    "WHERE run = ? AND start_ns <= ? AND end_ns >= ? ORDER BY thread, start_ns, depth LIMIT ?";

}  // namespace

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

std::optional<std::vector<SpanRange>> span_ranges(Database& database, std::int64_t run, const TimeSpan& span,
                                                  std::int64_t most_ranges) {
  Statement rows(database, kRanges);
  rows.put(run).put(span.to_ns).put(span.from_ns).put(most_ranges + 1);
  const auto names = range_names_of(database, run);
  std::vector<SpanRange> ranges;
  while (rows.next()) {
    MarkedRange range{.thread = static_cast<std::int32_t>(rows.integer()),
                      .depth = static_cast<std::int32_t>(rows.integer()),
                      .name = rows.integer(),
                      .start_ns = rows.integer(),
                      .end_ns = rows.integer()};
    const auto name = names.find(range.name);
    ranges.push_back({range, name == names.end() ? std::string() : name->second});
  }
  if (std::ssize(ranges) > most_ranges) return std::nullopt;
  return ranges;
}

}  // namespace ampprof
