// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
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

void add_works_of(Statement& row, const PackHead& head, const TimeSpan& span, std::vector<SpanWork>& works) {
  if (!row.next()) packs_are_damaged();
  const auto of_pack = unpack_works(row.blob(), head.segment);
  const auto position = static_cast<std::int32_t>(row.integer());
  row.next();
  if (!of_pack || std::ssize(*of_pack) != head.count) packs_are_damaged();
  for (const DeviceWork& work : *of_pack) {
    if (overlap({work.start_ns, end_of(work)}, span)) works.push_back({work, {work.call_site, position}});
  }
}

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
  Statement row(database, kWorks);
  for (const PackHead& head : heads) {
    row.put(run).put(head.id);
    add_works_of(row, head, span, works);
  }
  std::ranges::stable_sort(works, {}, [](const SpanWork& entry) {
    return std::tuple(entry.work.device, entry.work.stream, entry.work.start_ns);
  });
  return works;
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
