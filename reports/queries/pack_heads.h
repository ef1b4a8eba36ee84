// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/queries/spans.h"
#include "reports/records/activity_pack.h"
#include "reports/records/call_pack.h"
#include "reports/store/sqlite.h"
#include "reports/store/totals.h"

namespace ampprof {

/// A pack with calls, or activities, that overlap a span.
struct PackHead {
  std::int64_t id;
  std::int64_t segment;
  std::int64_t count;
  TimeSpan span;
};

constexpr bool is_inside(const TimeSpan& part, const TimeSpan& span) {
  return part.from_ns >= span.from_ns && part.to_ns <= span.to_ns;
}
constexpr bool overlap(const TimeSpan& a, const TimeSpan& b) { return a.from_ns <= b.to_ns && b.from_ns <= a.to_ns; }

/// Shows the packs that overlap a span, with the bytes of their tracks. None of the run's may be missing. Only an index
/// is read, where packs are small.
template <class Show>
void each_head(Database& database, std::int64_t run, const TimeSpan& span, TrackKind kind, Show show) {
  Statement rows(
      database,
      kind == TrackKind::Threads
          ? "SELECT id, segment, count, start_ns IS NULL, start_ns, end_ns, tracks "
            "FROM call_pack WHERE run = ? ORDER BY id"
          : "SELECT id, segment, activity_count, activity_start_ns IS NULL, activity_start_ns, activity_end_ns, "
            "activity_tracks FROM call_pack WHERE run = ? ORDER BY id");
  rows.put(run);
  std::int64_t last = 0;
  while (rows.next()) {
    PackHead head{.id = rows.integer(), .segment = rows.integer(), .count = rows.integer(), .span = {}};
    if (head.id != ++last) packs_are_damaged();
    if (rows.flag()) continue;  // none of this kind
    head.span = {rows.integer(), rows.integer()};
    if (head.count < 0 || head.span.to_ns < head.span.from_ns) packs_are_damaged();
    if (overlap(head.span, span)) show(head, rows);
  }
  if (last < rolled_up_to(database, run)) packs_are_damaged();
}

/// Those packs, where they hold no more than that in all; else empty.
std::optional<std::vector<PackHead>> few_heads(Database& database, std::int64_t run, const TimeSpan& span,
                                               TrackKind kind, std::int64_t most);

/// Decodes packs: `column` of each, with `kUnpack`.
template <auto kUnpack>
class PackReader {
 public:
  PackReader(Database& database, std::int64_t run, std::string_view column)
      : row_(database, "SELECT " + std::string(column) +
                           ", (SELECT position FROM segment s WHERE s.run = p.run AND s.id = p.segment) "
                           "FROM call_pack p WHERE run = ? AND id = ?"),
        run_(run) {}

  /// Shows each record, and the place in the step that it belongs to.
  template <class Show>
  void each(const PackHead& head, Show show) {
    row_.put(run_).put(head.id);
    if (!row_.next()) packs_are_damaged();
    const auto records = kUnpack(row_.blob(), head.segment);
    const auto position = static_cast<std::int32_t>(row_.integer());
    row_.next();
    if (!records || std::ssize(*records) != head.count) packs_are_damaged();
    for (const auto& record : *records) show(record, SiteInStep{record.call_site, position});
  }

 private:
  Statement row_;
  std::int64_t run_;
};

struct CallReader : PackReader<unpack_calls> {
  CallReader(Database& database, std::int64_t run) : PackReader(database, run, "calls") {}
};

struct ActivityReader : PackReader<unpack_activities> {
  ActivityReader(Database& database, std::int64_t run) : PackReader(database, run, "activities") {}
};

}  // namespace ampprof
