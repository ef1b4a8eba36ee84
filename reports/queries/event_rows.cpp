// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/rows.h"

namespace ampprof {
namespace {

constexpr const char* kEvents =
    "SELECT e.id, coalesce(s.step, 0), coalesce(s.position, 0), loss_id, scale_before, scale_after, e.skipped, "
    "coalesce(first_site, 0), largest_safe_scale, largest_safe_scale_is_bound "
    "FROM overflow_event e LEFT JOIN segment s ON s.run = e.run AND s.id = e.segment WHERE e.run = ? ORDER BY e.id";

/// An event whose call sites still are ids.
struct RawEvent {
  EventRow row;
  std::int64_t id = 0;
  std::int32_t position = 0;
  std::int64_t first_site = 0;
};

std::vector<RawEvent> events_of(Database& database, const RunName& run) {
  Statement rows(database, kEvents);
  rows.put(run.id);
  std::vector<RawEvent> events;
  while (rows.next()) {
    RawEvent& event = events.emplace_back();
    event.row.run = run.id;
    event.row.level = run.level;
    event.id = rows.integer();
    event.row.step = rows.integer();
    event.position = static_cast<std::int32_t>(rows.integer());
    event.row.loss_id = static_cast<std::int32_t>(rows.integer());
    event.row.scale_before = rows.real();
    event.row.scale_after = rows.real();
    event.row.skipped = rows.flag();
    event.first_site = rows.integer();
    event.row.largest_safe_scale = rows.optional_real();
    event.row.largest_safe_scale_is_bound = rows.flag();
  }
  return events;
}

std::vector<EventParameter> parameters_of(Database& database, std::int64_t event) {
  Statement rows(database,
                 "SELECT name, nan, inf, finite_amax FROM overflow_parameter WHERE event = ? ORDER BY position");
  rows.put(event);
  std::vector<EventParameter> parameters;
  while (rows.next()) {
    parameters.push_back(
        {.name = rows.text(), .nan = rows.integer(), .inf = rows.integer(), .finite_amax = rows.optional_real()});
  }
  return parameters;
}

std::vector<std::int64_t> chain_of(Database& database, std::int64_t event) {
  Statement rows(database, "SELECT call_site FROM overflow_chain WHERE event = ? ORDER BY position");
  rows.put(event);
  std::vector<std::int64_t> sites;
  while (rows.next()) sites.push_back(rows.integer());
  return sites;
}

void add_events_of(Database& database, const RunName& run, std::vector<EventRow>& rows) {
  std::vector<RawEvent> events = events_of(database, run);
  if (events.empty()) return;
  const CallSites sites = call_sites_of(database, run.id);
  const CallSiteNames names(sites, places_of(database, run.id));
  for (RawEvent& event : events) {
    event.row.parameters = parameters_of(database, event.id);
    for (const std::int64_t site : chain_of(database, event.id)) {
      event.row.chain.push_back(names.name({site, event.position}));
    }
    if (const auto first = sites.find(event.first_site); first != sites.end()) {
      event.row.first_op = names.name({event.first_site, event.position});
      event.row.first_op_phase = first->second.phase;
    }
    rows.push_back(std::move(event.row));
  }
}

}  // namespace

std::vector<EventRow> event_rows(Database& database, RunFilter run) {
  std::vector<EventRow> rows;
  for (const RunName& name : runs_named(database, run)) add_events_of(database, name, rows);
  return rows;
}

}  // namespace ampprof
