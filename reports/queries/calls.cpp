// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/calls.h"

#include "reports/queries/lookups.h"
#include "reports/queries/segments.h"
#include "reports/store/tables.h"
#include "reports/store/totals.h"

namespace ampprof::queries {

namespace {

/// Texts and segments, to which calls refer by id.
struct TraceTexts : CallTexts {
  TraceTexts(const Report& report, std::int64_t run) : CallTexts(call_texts(report, run)) {
    for (Segment& segment : queries::segments(report, run)) segments.emplace(segment.id, segment);
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

CallTexts call_texts(const Report& report, std::int64_t run) {
  const store::Snapshot snapshot(report);
  CallTexts texts{.sites = call_sites_of(report, run),
                  .signatures = signatures_of(report, run),
                  .names = {},
                  .activity_names = activity_names_of(report, run)};
  const std::vector<SiteInStep> places = places_of(report, run);
  const CallSiteNames in_step(texts.sites, places);
  for (const SiteInStep& place : places) texts.names.emplace(place, in_step.name(place));
  return texts;
}

void each_call(const Report& report, std::int64_t run, const std::function<void(const TimedCall&)>& show) {
  const store::Snapshot snapshot(report);
  const TraceTexts texts(report, run);
  ampprof::store::each_call(report, run, [&](const OpCall& call) { show(timed(call, texts)); });
}

}  // namespace ampprof::queries
