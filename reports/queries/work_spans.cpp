// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <tuple>

#include "reports/queries/pack_heads.h"
#include "reports/queries/rows.h"
#include "reports/records/saturating_add.h"
#include "reports/records/work_pack.h"

namespace ampprof {
namespace {

constexpr const char* kWorks =
    "SELECT works, (SELECT position FROM segment s WHERE s.run = p.run AND s.id = p.segment) "
    "FROM call_pack p WHERE run = ? AND id = ?";
constexpr const char* kRanges =
    "SELECT thread, depth, name, start_ns, end_ns FROM marked_range "
    "WHERE run = ? AND start_ns <= ? AND end_ns >= ? ORDER BY thread, start_ns, depth LIMIT ?";

/// Decodes packs.
class WorkReader {
 public:
  WorkReader(Database& database, std::int64_t run) : row_(database, kWorks), run_(run) {}

  template <class Show>
  void each_work(const PackHead& head, Show show) {
    row_.put(run_).put(head.id);
    if (!row_.next()) packs_are_damaged();
    const auto works = unpack_works(row_.blob(), head.segment);
    const auto position = static_cast<std::int32_t>(row_.integer());
    row_.next();
    if (!works || std::ssize(*works) != head.count) packs_are_damaged();
    for (const DeviceWork& work : *works) show(SpanWork{work, {work.call_site, position}});
  }

 private:
  Statement row_;
  std::int64_t run_;
};

constexpr TimeSpan kAnyTime{std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};

}  // namespace

std::optional<std::vector<SpanWork>> span_works(Database& database, std::int64_t run, const TimeSpan& span,
                                                std::int64_t most_works) {
  std::vector<PackHead> heads;
  std::int64_t count = 0;
  each_head(database, run, span, LaneKind::Streams, [&](const PackHead& head, Statement&) {
    saturating_add(count, head.count);
    if (count <= most_works) heads.push_back(head);
  });
  if (count > most_works) return std::nullopt;
  std::vector<SpanWork> works;
  WorkReader packs(database, run);
  for (const PackHead& head : heads) {
    packs.each_work(head, [&](const SpanWork& entry) {
      if (overlap({entry.work.start_ns, end_of(entry.work)}, span)) works.push_back(entry);
    });
  }
  std::ranges::stable_sort(works, {}, [](const SpanWork& entry) {
    return std::tuple(entry.work.device, entry.work.stream, entry.work.start_ns);
  });
  return works;
}

void each_span_work(Database& database, std::int64_t run, const std::function<void(const SpanWork&)>& show) {
  WorkReader packs(database, run);
  each_head(database, run, kAnyTime, LaneKind::Streams,
            [&](const PackHead& head, Statement&) { packs.each_work(head, show); });
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
