// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "reports/queries/rows.h"

namespace ampprof {
namespace {

constexpr const char* kCalls =
    "SELECT segment, call_site, signature, start_ns, duration_ns, thread, dtype_in, dtype_out, cast_bytes, scale, "
    "nonfinite, sum_sq_error, sum_sq_reference FROM op_call WHERE run = ? ORDER BY id";

/// What calls only hold the ids of.
struct Texts {
  Texts(Database& database, std::int64_t run)
      : sites(call_sites_of(database, run)), signatures(signatures_of(database, run)) {
    for (Segment& segment : segment_rows(database, run)) segments.emplace(segment.id, segment);
    const std::vector<SiteInStep> places = places_of(database, run);
    const CallSiteNames in_step(sites, places);
    for (const SiteInStep& place : places) names.emplace(place, in_step.name(place));
  }

  CallSites sites;
  std::unordered_map<std::int64_t, std::string> signatures;
  std::unordered_map<std::int64_t, Segment> segments;
  std::map<SiteInStep, std::string> names;
};

template <class Map>
const typename Map::mapped_type& found_or(const Map& map, const typename Map::key_type& key,
                                          const typename Map::mapped_type& other) {
  const auto found = map.find(key);
  return found == map.end() ? other : found->second;
}

std::optional<double> relative_error(const std::optional<double>& error, const std::optional<double>& reference) {
  if (!error || !reference) return std::nullopt;
  return ErrorStats{.count = 1, .sum_sq_error = *error, .sum_sq_reference = *reference}.relative_l2();
}

TimedCall read_call(Statement& row, const Texts& texts) {
  static const CallSite kNoSite;
  static const Segment kNoSegment;
  static const std::string kNoText;
  const Segment& segment = found_or(texts.segments, row.integer(), kNoSegment);
  const std::int64_t site_id = row.integer();
  const CallSite& site = found_or(texts.sites, site_id, kNoSite);
  TimedCall call{.call_site = found_or(texts.names, {site_id, segment.position}, kNoText),
                 .module = site.module,
                 .op = site.op,
                 .source = site.source,
                 .shapes = found_or(texts.signatures, row.integer(), kNoText),
                 .phase = site.phase,
                 .step = segment.step};
  call.start_ns = row.integer();
  call.duration_ns = row.integer();
  call.thread = static_cast<std::int32_t>(row.integer());
  call.dtype_in = dtype_from_number(row.integer());
  call.dtype_out = dtype_from_number(row.integer());
  call.cast_bytes = row.integer();
  call.scale = row.optional_real();
  call.nonfinite = row.optional_integer();
  const auto error = row.optional_real();
  call.local_rel_l2 = relative_error(error, row.optional_real());
  return call;
}

}  // namespace

std::vector<LossRow> loss_rows(Database& database, RunFilter run) {
  Statement rows(database,
                 "SELECT l.run, r.level, coalesce(s.step, 0), l.segment, loss_id, value FROM loss l "
                 "JOIN run r ON r.id = l.run LEFT JOIN segment s ON s.run = l.run AND s.id = l.segment "
                 "WHERE ?1 IS NULL OR l.run = ?1 ORDER BY l.run, l.rowid");
  rows.put(run);
  std::vector<LossRow> losses;
  while (rows.next()) {
    LossRow& row = losses.emplace_back();
    row.run = rows.integer();
    row.level = rows.text();
    row.step = rows.integer();
    row.loss.segment = rows.integer();
    row.loss.loss_id = static_cast<std::int32_t>(rows.integer());
    row.loss.value = rows.real();
  }
  return losses;
}

std::vector<Segment> segment_rows(Database& database, std::int64_t run) {
  Statement rows(database,
                 "SELECT id, step, position, start_ns, end_ns, tool_ns, recorded, skipped FROM segment "
                 "WHERE run = ? ORDER BY id");
  rows.put(run);
  std::vector<Segment> segments;
  while (rows.next()) {
    Segment& segment = segments.emplace_back();
    segment.id = rows.integer();
    segment.step = rows.integer();
    segment.position = static_cast<std::int32_t>(rows.integer());
    segment.start_ns = rows.integer();
    segment.end_ns = rows.integer();
    segment.tool_ns = rows.integer();
    segment.recorded = rows.flag();
    segment.skipped = rows.flag();
  }
  return segments;
}

void each_timed_call(Database& database, std::int64_t run, const std::function<void(const TimedCall&)>& show) {
  const Texts texts(database, run);
  Statement rows(database, kCalls);
  rows.put(run);
  while (rows.next()) show(read_call(rows, texts));
}

}  // namespace ampprof
