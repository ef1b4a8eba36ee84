// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/rows.h"
#include "reports/store/tables.h"
#include "reports/store/totals.h"

namespace ampprof {
namespace {

/// What calls only hold the ids of.
struct TraceTexts : CallTexts {
  TraceTexts(Database& database, std::int64_t run) : CallTexts(call_texts(database, run)) {
    for (Segment& segment : segment_rows(database, run)) segments.emplace(segment.id, segment);
  }

  std::unordered_map<std::int64_t, Segment> segments;
};

template <class Map>
const typename Map::mapped_type& found_or(const Map& map, const typename Map::key_type& key,
                                          const typename Map::mapped_type& other) {
  const auto found = map.find(key);
  return found == map.end() ? other : found->second;
}

TimedCall timed(const OpCall& op, const TraceTexts& texts) {
  static const CallSite kNoSite;
  static const Segment kNoSegment;
  static const std::string kNoText;
  const Segment& segment = found_or(texts.segments, op.segment, kNoSegment);
  const CallSite& site = found_or(texts.sites, op.call_site, kNoSite);
  TimedCall call{.call_site = found_or(texts.names, {op.call_site, segment.position}, kNoText),
                 .module = site.module,
                 .op = site.op,
                 .source = site.source,
                 .shapes = found_or(texts.signatures, op.signature, kNoText),
                 .phase = site.phase,
                 .step = segment.step};
  call.start_ns = op.start_ns;
  call.duration_ns = op.duration_ns;
  call.thread = op.thread;
  call.dtype_in = op.dtype_in;
  call.dtype_out = op.dtype_out;
  call.cast_bytes = op.cast_bytes;
  call.scale = op.scale;
  if (op.ranges) call.nonfinite = op.ranges->nonfinite;
  if (op.local) call.local_rel_l2 = op.local->relative_l2();
  return call;
}

}  // namespace

std::vector<LossRow> loss_rows(Database& database, RunFilter run) {
  Statement rows(database, "SELECT l.run, r.level, coalesce(s.step, 0), " + store::columns_of(store::kLoss, "l.") +
                               " FROM loss l JOIN run r ON r.id = l.run "
                               "LEFT JOIN segment s ON s.run = l.run AND s.id = l.segment "
                               "WHERE ?1 IS NULL OR l.run = ?1 ORDER BY l.run, l.rowid");
  rows.put(run);
  std::vector<LossRow> losses;
  while (rows.next()) {
    LossRow& row =
        losses.emplace_back(LossRow{.run = rows.integer(), .level = rows.text(), .step = rows.integer(), .loss = {}});
    row.loss = store::take(rows, store::kLoss);
  }
  return losses;
}

std::vector<Segment> segment_rows(Database& database, std::int64_t run) {
  Statement rows(database, store::select_from(store::kSegment) + "WHERE run = ? ORDER BY id");
  rows.put(run);
  std::vector<Segment> segments;
  while (rows.next()) segments.push_back(store::take(rows, store::kSegment));
  return segments;
}

CallTexts call_texts(Database& database, std::int64_t run) {
  CallTexts texts{.sites = call_sites_of(database, run),
                  .signatures = signatures_of(database, run),
                  .names = {},
                  .activity_names = activity_names_of(database, run)};
  const std::vector<SiteInStep> places = places_of(database, run);
  const CallSiteNames in_step(texts.sites, places);
  for (const SiteInStep& place : places) texts.names.emplace(place, in_step.name(place));
  return texts;
}

void each_timed_call(Database& database, std::int64_t run, const std::function<void(const TimedCall&)>& show) {
  const TraceTexts texts(database, run);
  each_call(database, run, [&](const OpCall& call) { show(timed(call, texts)); });
}

}  // namespace ampprof
