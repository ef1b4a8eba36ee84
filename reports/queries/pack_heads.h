// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "reports/queries/spans.h"
#include "reports/store/report_error.h"
#include "reports/store/sqlite.h"
#include "reports/store/totals.h"

namespace ampprof {

/// A pack with calls, or works, that overlap a span.
struct PackHead {
  std::int64_t id;
  std::int64_t segment;
  std::int64_t count;
  TimeSpan span;
};

[[noreturn]] inline void packs_are_damaged() {
  throw ReportError("the report is damaged: the op calls of a step cannot be read");
}

constexpr bool is_inside(const TimeSpan& part, const TimeSpan& span) {
  return part.from_ns >= span.from_ns && part.to_ns <= span.to_ns;
}
constexpr bool overlap(const TimeSpan& a, const TimeSpan& b) { return a.from_ns <= b.to_ns && b.from_ns <= a.to_ns; }

/// Shows the packs that overlap a span, with the bytes of their lanes. None of the run's may be missing. Only an index
/// is read, where packs are small.
template <class Show>
void each_head(Database& database, std::int64_t run, const TimeSpan& span, LaneKind kind, Show show) {
  Statement rows(database, kind == LaneKind::Threads
                               ? "SELECT id, segment, count, start_ns IS NULL, start_ns, end_ns, lanes "
                                 "FROM call_pack WHERE run = ? ORDER BY id"
                               : "SELECT id, segment, work_count, work_start_ns IS NULL, work_start_ns, work_end_ns, "
                                 "work_lanes FROM call_pack WHERE run = ? ORDER BY id");
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

}  // namespace ampprof
