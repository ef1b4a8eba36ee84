// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/ranks.h"

#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <unordered_set>

#include "reports/queries/in_parallel.h"
#include "reports/queries/lookups.h"
#include "reports/queries/segments.h"
#include "reports/records/saturating_add.h"
#include "reports/store/tables.h"
#include "reports/store/totals.h"

namespace ampprof::queries {

namespace {

using Times = std::map<SiteInStep, store::TimeAndError>;

constexpr const char* kEventsOfRank =
    "SELECT coalesce(s.step, 0), e.loss_id, coalesce(c.id, 0), coalesce(s.position, 0), coalesce(c.phase, 0), c.op, "
    "(SELECT p.name FROM nonfinite_parameter p WHERE p.event = e.id ORDER BY p.position LIMIT 1) "
    "FROM nonfinite_event e LEFT JOIN segment s ON s.run = e.run AND s.id = e.segment "
    "LEFT JOIN call_site c ON c.run = e.run AND c.id = e.first_site WHERE e.run = ? AND e.by_scaler ORDER BY e.id";

const std::string kSitesOfSameOperation =
    store::select_from(store::kCallSite) +
    "WHERE run = ?1 AND (phase, module, op) IN (SELECT phase, module, op FROM call_site WHERE run = ?1 AND id = ?2)";

std::string sites_of_collectives() {
  std::string any;
  for (const std::string_view prefix : kCollectiveNamespaces) {
    any.append(any.empty() ? "" : " OR ").append("instr(op, '").append(prefix).append("') = 1");
  }
  return "SELECT id FROM call_site WHERE run = ? AND (" + any + ")";
}

std::vector<RankStep> steps_of_rank(const Report& report, std::int64_t run) {
  const auto ms_between = [](std::int64_t start, std::int64_t end) {
    return end > start ? std::optional((static_cast<double>(end) - static_cast<double>(start)) / 1e6) : std::nullopt;
  };
  std::vector<RankStep> steps;
  const std::vector<WholeStep> whole = whole_steps(report, run);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    RankStep& step = steps.emplace_back(RankStep{.step = whole[i].step, .ms = {}, .skipped = whole[i].skipped});
    if (!whole[i].recorded) continue;
    step.ms = ms_between(whole[i].start_ns, whole[i].end_ns);
    if (step.ms) *step.ms -= static_cast<double>(whole[i].paused_ns) / 1e6;
    const bool follows = i > 0 && whole[i - 1].recorded && whole[i - 1].step + 1 == whole[i].step;
    if (follows) step.since_last_ms = ms_between(whole[i - 1].end_ns, whole[i].end_ns);
  }
  return steps;
}

/// Returns the overflow events, without names of call sites.
std::vector<RankEvent> events_of_rank(const Report& report, std::int64_t run) {
  const auto read = [](store::Statement& row) {
    return RankEvent{.step = row.integer(),
                     .loss_id = static_cast<std::int32_t>(row.integer()),
                     .first_place = {row.integer(), static_cast<std::int32_t>(row.integer())},
                     .first_phase = store::enum_from_number<Phase>(row.integer()),
                     .first_op = {},
                     .is_received = is_collective(row.text()),
                     .parameter = row.text()};
  };
  return store::rows_of(report, kEventsOfRank, read, run);
}

std::optional<std::int64_t> check_every_of_rank(const Report& report, std::int64_t run) {
  store::Statement row(report, "SELECT check_ranks FROM run WHERE id = ?", run);
  return row.next() ? row.optional_integer() : std::nullopt;
}

void add_collectives(const Report& report, std::int64_t run, const Times& totals, RankRecord& record) {
  static const std::string kSql = sites_of_collectives();
  store::Statement rows(report, kSql, run);
  std::unordered_set<std::int64_t> sites;
  while (rows.next()) sites.insert(rows.integer());
  if (sites.empty()) return;
  for (const auto& [place, total] : totals) {
    if (!sites.contains(place.first)) continue;
    saturating_add(record.collective_calls, total.calls);
    record.collective_ms += static_cast<double>(total.duration_ns) / 1e6;
  }
}

/// Orders errors; those that are not finite are the largest.
double size_of_error(double error) { return std::isfinite(error) ? error : std::numeric_limits<double>::infinity(); }

/// Puts the largest local error into `record` and returns its place; call site 0 if there is none.
SiteInStep add_worst_error(const Times& totals, RankRecord& record) {
  SiteInStep worst{};
  for (const auto& [place, total] : totals) {
    if (!total.local) continue;
    const double error = total.local->relative_l2();
    if (record.worst_local_error && !(size_of_error(error) > size_of_error(*record.worst_local_error))) continue;
    record.worst_local_error = error;
    worst = place;
  }
  return worst;
}

/// Returns all call sites with the same op, module and phase as a wanted one: "#2" in a name depends on all of them.
CallSites sites_to_name(const Report& report, std::int64_t run, const std::set<std::int64_t>& wanted) {
  constexpr std::size_t kFew = 8;  // each lookup scans all call sites
  if (wanted.size() > kFew) return call_sites_of(report, run);
  CallSites sites;
  for (const std::int64_t id : wanted) {
    store::Statement rows(report, kSitesOfSameOperation, run, id);
    while (rows.next()) {
      CallSite site = store::take(rows, store::kCallSite);
      sites.emplace(site.id, std::move(site));
    }
  }
  return sites;
}

void name_call_sites(const Report& report, std::int64_t run, const Times& totals, const SiteInStep& worst,
                     RankRecord& record) {
  std::set<std::int64_t> wanted;
  if (worst.first != 0) wanted.insert(worst.first);
  for (const RankEvent& event : record.events) {
    if (event.first_place.first != 0) wanted.insert(event.first_place.first);
  }
  if (wanted.empty()) return;
  const CallSites sites = sites_to_name(report, run, wanted);
  std::vector<SiteInStep> places;
  for (const auto& [place, total] : totals) {
    if (total.calls > 0) places.push_back(place);
  }
  const CallSiteNames names(sites, places);
  if (worst.first != 0) record.worst_op = names.name(worst);
  for (RankEvent& event : record.events) {
    if (event.first_place.first != 0) event.first_op = names.name(event.first_place);
  }
}

}  // namespace

RankRecord rank_record(const Report& report, std::int64_t run, RankDetail detail) {
  const store::Snapshot snapshot(report);
  RankRecord record;
  record.steps = steps_of_rank(report, run);
  record.scales = scales(report, run);
  record.events = events_of_rank(report, run);
  record.check_every = check_every_of_rank(report, run);
  record.collectives = collectives(report, run);
  if (detail == RankDetail::Comparison) return record;
  const Times totals = store::read_times_and_errors(report, run);
  add_collectives(report, run, totals, record);
  const SiteInStep worst = add_worst_error(totals, record);
  name_call_sites(report, run, totals, worst, record);
  return record;
}

std::vector<RankRecord> rank_records(const Report& report, const std::vector<std::int64_t>& runs, RankDetail detail) {
  std::vector<RankRecord> records(runs.size());
  const auto another = [&] { return report.another(); };
  in_parallel(runs.size(), report, another,
              [&](const Report& own, std::size_t i) { records[i] = rank_record(own, runs[i], detail); });
  return records;
}

}  // namespace ampprof::queries
