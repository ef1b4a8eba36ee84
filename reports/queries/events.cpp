// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/events.h"

#include "reports/queries/lookups.h"
#include "reports/store/tables.h"

namespace ampprof::queries {

namespace {

const std::string kEvents = "SELECT e.id, coalesce(s.step, 0), coalesce(s.position, 0), coalesce(s.skipped, 0), " +
                            store::columns_of(store::kNonfiniteEvent, "e.") +
                            " FROM nonfinite_event e LEFT JOIN segment s ON s.run = e.run AND s.id = e.segment WHERE "
                            "e.run = ? ORDER BY 2, e.id";

const std::string kParameters = store::select_from(store::kNonfiniteParameter) + "WHERE event = ? ORDER BY position";

/// An event whose call sites are still ids.
struct RawEvent {
  EventRow row;
  std::int64_t id = 0;
  std::int32_t position = 0;
  std::int64_t first_site = 0;
  std::int64_t outcome_site = 0;
};

/// Returns the outcome of an event in a step whose update the program itself skipped. NaN or inf in a loss or a
/// gradient then had no further effect. If no effect was seen, the NaN or inf counts as the reason for skipping.
NonfiniteOutcome with_update_skipped(NonfiniteOutcome outcome) {
  const bool ends_there = outcome == NonfiniteOutcome::Nothing || outcome == NonfiniteOutcome::Loss ||
                          outcome == NonfiniteOutcome::Gradient;
  return ends_there ? NonfiniteOutcome::Skipped : outcome;
}

std::vector<RawEvent> events_of(const Report& report, const RunName& run) {
  store::Statement rows(report, kEvents, run.id);
  std::vector<RawEvent> events;
  while (rows.next()) {
    RawEvent& event = events.emplace_back();
    event.row.run = run.id;
    event.row.level = run.level;
    event.id = rows.integer();
    event.row.step = rows.integer();
    event.position = static_cast<std::int32_t>(rows.integer());
    const bool is_update_skipped = rows.integer() != 0;
    const NonfiniteEvent read = store::take(rows, store::kNonfiniteEvent);
    event.row.by_scaler = read.by_scaler;
    event.row.calls = read.calls;
    event.row.steps = read.steps;
    event.row.micro_batch = read.micro_batch;
    event.row.cause = read.cause;
    event.row.value = read.value;
    event.row.fp32_holds = read.fp32_holds;
    event.row.shadow_holds = read.shadow_holds;
    event.row.outcome = is_update_skipped ? with_update_skipped(read.outcome) : read.outcome;
    event.row.reached = read.reached;
    event.outcome_site = read.outcome_site;
    event.row.loss_id = read.loss_id;
    event.row.scale_before = read.scale_before;
    event.row.scale_after = read.scale_after;
    event.row.skipped = read.skipped;
    event.first_site = read.first_site;
    event.row.largest_safe_scale = read.largest_safe_scale;
    event.row.largest_safe_scale_is_bound = read.largest_safe_scale_is_bound;
  }
  return events;
}

std::vector<EventParameter> parameters_of(const Report& report, std::int64_t event) {
  const auto read = [](store::Statement& row) { return store::take(row, store::kNonfiniteParameter); };
  return store::rows_of(report, kParameters, read, event);
}

std::vector<std::int64_t> chain_of(const Report& report, std::int64_t event) {
  return store::rows_of(
      report, "SELECT call_site FROM nonfinite_chain WHERE event = ? ORDER BY position",
      [](store::Statement& row) { return row.integer(); }, event);
}

void add_events_of(const Report& report, const RunName& run, std::vector<EventRow>& rows) {
  std::vector<RawEvent> events = events_of(report, run);
  if (events.empty()) return;
  const CallSites sites = call_sites_of(report, run.id);
  const CallSiteNames names(sites, places_of(report, run.id));
  for (RawEvent& event : events) {
    event.row.parameters = parameters_of(report, event.id);
    for (const std::int64_t site : chain_of(report, event.id)) {
      event.row.chain.push_back(names.name({site, event.position}));
    }
    if (const auto first = sites.find(event.first_site); first != sites.end()) {
      event.row.first_op = names.name({event.first_site, event.position});
      event.row.first_op_phase = first->second.phase;
      event.row.first_op_source = first->second.source;
    }
    if (event.outcome_site != 0) event.row.outcome_op = names.name({event.outcome_site, event.position});
    rows.push_back(std::move(event.row));
  }
}

}  // namespace

std::vector<EventRow> events(const Report& report, RunFilter run) {
  return rows_of_runs<EventRow>(report, run, add_events_of);
}

}  // namespace ampprof::queries
