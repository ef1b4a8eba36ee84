// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/collectives.h"

#include <algorithm>
#include <map>
#include <utility>

#include "reports/queries/lookups.h"
#include "reports/queries/span_activities.h"
#include "reports/store/tables.h"

namespace ampprof::queries {

namespace {

// A row of an unknown segment or call site has no counterpart on another rank.
const std::string kCollectiveCalls =
    "SELECT r.level, s.step, s.position, k.phase, k.module, k.op, k.source, " +
    store::columns_of(store::kCollective, "c.") +
    " FROM collective c JOIN run r ON r.id = c.run JOIN segment s ON s.run = c.run AND s.id = c.segment "
    "JOIN call_site k ON k.run = c.run AND k.id = c.call_site WHERE c.run = ? ORDER BY c.start_ns, c.segment, "
    "c.call_site";

double as_ms(std::int64_t ns) { return static_cast<double>(ns) / 1e6; }

/// Sets the time of calls without a recorded end: from the start of a call's first kernel to the end of its last one.
void add_kernel_times(const Report& report, std::int64_t run, std::vector<CollectiveRow>& rows) {
  struct Span {
    double start, end;  // milliseconds
  };
  std::map<std::pair<std::int64_t, std::int64_t>, Span> spans;  // by segment and call site
  each_activity(report, run, [&](const SpanActivity& seen) {
    const GpuActivity& kernel = seen.activity;
    if (kernel.kind != GpuActivityKind::Kernel) return;
    const double start = as_ms(kernel.start_ns);
    const double end = start + as_ms(kernel.duration_ns);
    Span& span = spans.try_emplace({kernel.segment, kernel.call_site}, Span{start, end}).first->second;
    span = {std::min(span.start, start), std::max(span.end, end)};
  });
  for (CollectiveRow& row : rows) {
    const auto span = spans.find({row.call.segment, row.call.call_site});
    if (!row.ms && span != spans.end()) row.ms = span->second.end - span->second.start;
  }
}

}  // namespace

std::vector<CollectiveRow> collectives(const Report& report, std::int64_t run) {
  const store::Snapshot snapshot(report);
  store::Statement calls(report, kCollectiveCalls, run);
  std::vector<CollectiveRow> rows;
  while (calls.next()) {
    CollectiveRow& row = rows.emplace_back();
    row.run = run;
    row.level = calls.text();
    row.step = calls.integer();
    row.position = static_cast<std::int32_t>(calls.integer());
    row.phase = store::enum_from_number<Phase>(calls.integer());
    row.module = calls.text();
    row.op = calls.text();
    row.source = calls.text();
    store::kCollective.take(calls, row.call);
    row.call_site_id = row.call.call_site;
    if (row.call.end_ns) row.ms = as_ms(*row.call.end_ns) - as_ms(row.call.start_ns);
  }
  const bool lacks_ends = std::ranges::any_of(rows, [](const CollectiveRow& row) { return !row.ms; });
  if (lacks_ends) add_kernel_times(report, run, rows);
  return rows;
}

std::vector<CollectiveSketch> collective_sketches(const Report& report, std::int64_t run) {
  return store::records_of(report, store::kCollectiveSketch, run);
}

void name_collectives(const Report& report, std::int64_t run, std::vector<CollectiveRow>& rows) {
  if (rows.empty()) return;
  const store::Snapshot snapshot(report);
  const CallSites sites = call_sites_of(report, run);
  const CallSiteNames names(sites, places_of(report, run));
  for (CollectiveRow& row : rows) row.call_site = names.name({row.call_site_id, row.position});
}

}  // namespace ampprof::queries
