// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/timeline.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>

#include "reports/queries/nvtx_ranges.h"
#include "reports/queries/segments.h"
#include "reports/queries/span_activities.h"
#include "reports/records/saturating_add.h"

namespace ampprof::gui {
namespace {

constexpr int kOverviewBins = 4096;

using Path = std::vector<std::string_view>;

/// Returns the phase and the parts of the module path, at most kMostScopes names: "backward", "decoder", "up2".
Path pathOf(const CallSite& site) {
  Path path{name_of(site.phase)};
  std::string_view rest = site.module;
  while (!rest.empty() && path.size() < kMostScopes) {
    const std::size_t dot = rest.find('.');
    path.push_back(rest.substr(0, dot));
    rest.remove_prefix(dot == rest.npos ? rest.size() : dot + 1);
  }
  return path;
}

/// Builds scopes from calls, which must be added in order of time.
class OpenScopes {
 public:
  void add(const TimelineItem& call, const Path& path) {
    if (call.segment != segment_) close(0);
    segment_ = call.segment;
    const auto [differs, ignored] = std::ranges::mismatch(open_, path, {}, &Scope::name);
    close(static_cast<std::size_t>(differs - open_.begin()));
    while (open_.size() < path.size()) {
      const auto depth = static_cast<int>(open_.size());
      open_.push_back({call.start_ns, call.end_ns, depth, std::string(path[open_.size()])});
    }
    for (Scope& scope : open_) scope.to_ns = std::max(scope.to_ns, call.end_ns);
  }

  std::vector<Scope> closed() && {
    close(0);
    std::ranges::sort(closed_, {}, [](const Scope& scope) { return std::pair(scope.depth, scope.from_ns); });
    return std::move(closed_);
  }

 private:
  void close(std::size_t kept) {
    for (; open_.size() > kept; open_.pop_back()) closed_.push_back(std::move(open_.back()));
  }

  std::int64_t segment_ = 0;
  std::vector<Scope> open_;
  std::vector<Scope> closed_;
};

TimeSpan wholeOf(const std::optional<TimeSpan>& calls, const std::vector<Segment>& segments) {
  std::optional<TimeSpan> whole = calls;
  for (const Segment& segment : segments) {
    if (segment.end_ns < segment.start_ns) continue;
    if (!whole) whole = {segment.start_ns, segment.end_ns};
    whole->from_ns = std::min(whole->from_ns, segment.start_ns);
    whole->to_ns = std::max(whole->to_ns, segment.end_ns);
  }
  return whole.value_or(TimeSpan{});
}

void addThreads(TimelineRun& run, queries::TrackSummary summary,
                const std::map<std::int32_t, std::int32_t>& range_depths) {
  const int modules = scopeLevelsOf(run.texts.sites);
  run.calls = summary.calls;
  for (queries::TrackRow& row : summary.tracks) {
    run.tracks.push_back(
        {.kind = queries::TrackKind::Threads, .id = row.track, .bins = std::move(row.bins), .levels = modules});
  }
  for (const auto& [thread, depth] : range_depths) {
    const int levels = std::clamp(depth, 0, kMostRangeLevels - 1) + 1;
    auto track = std::ranges::find(run.tracks, std::optional<TrackId>(thread), &TimelineTrack::id);
    if (track == run.tracks.end() && run.tracks.size() >= queries::kMostTracks) continue;
    if (track == run.tracks.end()) track = run.tracks.insert(track, {.id = thread});
    track->range_levels = levels;
    track->levels += levels;
  }
  std::ranges::stable_sort(run.tracks, {}, [](const TimelineTrack& track) { return std::pair(!track.id, track.id); });
}

void addStreams(TimelineRun& run, queries::TrackSummary summary) {
  run.activity_count = summary.calls;
  for (queries::TrackRow& row : summary.tracks) {
    std::ranges::transform(row.bins, row.bins.begin(), byActivityClass);
    run.tracks.push_back({.kind = queries::TrackKind::Streams, .id = row.track, .bins = std::move(row.bins)});
  }
}

template <class Record>
void addItems(TimelinePicture& picture, const TimelineRun& run, queries::TrackKind kind,
              const std::vector<Record>& records) {
  for (std::size_t track = 0; track < run.tracks.size(); ++track) {
    if (run.tracks[track].kind == kind) picture.tracks[track].items.emplace();
  }
  for (const Record& record : records) {
    TimelineItem item = itemOf(record, run);
    picture.tracks[item.track].items->push_back(std::move(item));
  }
}

/// Reads the items of all tracks of a kind. Returns false, and reads none, if there are more than `most`.
bool readItems(TimelinePicture& picture, const queries::Report& report, const TimelineRun& run, queries::TrackKind kind,
               std::int64_t most) {
  const bool is_whole = picture.span == run.whole;
  if (kind == queries::TrackKind::Threads) {
    if (is_whole && run.calls > most) return false;
    const auto calls = queries::span_calls(report, run.run, picture.span, most);
    if (calls) addItems(picture, run, kind, *calls);
    return calls.has_value();
  }
  if (is_whole && run.activity_count > most) return false;
  const auto activities = queries::span_activities(report, run.run, picture.span, most);
  if (activities) addItems(picture, run, kind, *activities);
  return activities.has_value();
}

void readBins(TimelinePicture& picture, const queries::Report& report, const TimelineRun& run, queries::TrackKind kind,
              int bins) {
  const bool is_whole = picture.span == run.whole;
  queries::TrackSummary summary;
  if (!is_whole) summary = queries::track_summary(report, run.run, picture.span, bins, kind);
  for (std::size_t place = 0; place < run.tracks.size(); ++place) {
    const TimelineTrack& track = run.tracks[place];
    if (track.kind != kind) continue;
    std::vector<ClassTimes>& to = picture.tracks[place].bins;
    const auto row = std::ranges::find(summary.tracks, track.id, &queries::TrackRow::track);
    if (is_whole) to = track.bins;
    if (row == summary.tracks.end()) continue;
    to = std::move(row->bins);
    if (kind == queries::TrackKind::Streams) std::ranges::transform(to, to.begin(), byActivityClass);
  }
}

void readRanges(TimelinePicture& picture, const queries::Report& report, const TimelineRun& run, std::int64_t most) {
  const bool has_levels =
      std::ranges::any_of(run.tracks, [](const TimelineTrack& track) { return track.range_levels > 0; });
  if (!has_levels) return;
  const queries::SpanRanges found = queries::span_ranges(report, run.run, picture.span, most);
  picture.hides_ranges = found.ranges.empty() && found.shorter_than_ns > 0;
  for (const auto& [range, text] : found.ranges) {
    const std::size_t track = run.trackOf(queries::TrackKind::Threads, range.thread);
    if (range.depth < 0 || range.depth >= run.tracks[track].range_levels) continue;
    picture.tracks[track].scopes.push_back({range.start_ns, std::max(range.start_ns, range.end_ns), range.depth, text});
  }
}

void addModules(TimelinePicture& picture, const TimelineRun& run) {
  for (std::size_t place = 0; place < run.tracks.size(); ++place) {
    TrackContent& track = picture.tracks[place];
    if (run.tracks[place].kind != queries::TrackKind::Threads || !track.items) continue;
    for (Scope& scope : scopesOf(*track.items, run.texts.sites)) {
      scope.depth += run.tracks[place].range_levels;
      track.scopes.push_back(std::move(scope));
    }
  }
}

/// Returns the span of the segments for which `is_wanted(segment)` holds; empty if there are none. Leaves out segments
/// that have not ended.
template <class IsWanted>
std::optional<TimeSpan> spanOfAll(const std::vector<Segment>& segments, const IsWanted& is_wanted) {
  std::optional<TimeSpan> span;
  for (const Segment& segment : segments) {
    if (!is_wanted(segment) || segment.end_ns <= segment.start_ns) continue;
    if (!span) span = {segment.start_ns, segment.end_ns};
    span = {std::min(span->from_ns, segment.start_ns), std::max(span->to_ns, segment.end_ns)};
  }
  return span;
}

}  // namespace

std::vector<Scope> scopesOf(std::span<const TimelineItem> calls, const queries::CallSites& sites) {
  std::unordered_map<std::int64_t, Path> paths;
  OpenScopes open;
  for (const TimelineItem& call : calls) {
    const auto [path, is_new] = paths.try_emplace(call.place.first);
    if (is_new) {
      const auto site = sites.find(call.place.first);
      if (site != sites.end()) path->second = pathOf(site->second);
    }
    open.add(call, path->second);
  }
  return std::move(open).closed();
}

int scopeLevelsOf(const queries::CallSites& sites) {
  std::size_t levels = 1;
  for (const auto& [id, site] : sites) levels = std::max(levels, pathOf(site).size());
  return static_cast<int>(levels);
}

std::size_t TimelineRun::trackOf(queries::TrackKind kind, TrackId id) const {
  std::size_t last = 0;
  for (std::size_t track = 0; track < tracks.size(); ++track) {
    if (tracks[track].kind != kind) continue;
    if (tracks[track].id == id) return track;
    last = track;
  }
  return last;
}

bool TimelineRun::has(queries::TrackKind kind) const {
  return std::ranges::find(tracks, kind, &TimelineTrack::kind) != tracks.end();
}

TimelineItem itemOf(const queries::SpanCall& call, const TimelineRun& run) {
  return {.place = call.place,
          .segment = call.segment,
          .start_ns = call.start_ns,
          .end_ns = call.end_ns,
          .track = run.trackOf(queries::TrackKind::Threads, call.thread),
          .kind = static_cast<std::size_t>(call.kind),
          .what = call};
}

TimelineItem itemOf(const queries::SpanActivity& activity, const TimelineRun& run) {
  return {.place = activity.place,
          .segment = activity.activity.segment,
          .start_ns = activity.activity.start_ns,
          .end_ns = span_of(activity.activity).to_ns,
          .track = run.trackOf(queries::TrackKind::Streams,
                               stream_track(activity.activity.device, activity.activity.stream)),
          .kind = static_cast<std::size_t>(classOf(activity.activity, run.activity_names)),
          .what = activity.activity};
}

std::optional<queries::StepSpan> stepsIn(const TimeSpan& span, const std::vector<Segment>& segments) {
  std::optional<queries::StepSpan> steps;
  for (const Segment& segment : segments) {
    if (segment.start_ns >= span.to_ns || segment.end_ns <= span.from_ns) continue;
    if (!steps) steps = {segment.step, segment.step};
    steps = {std::min(steps->first, segment.step), std::max(steps->last, segment.step)};
  }
  return steps;
}

std::optional<TimeSpan> spanOf(std::int64_t step, const std::vector<Segment>& segments) {
  return spanOfAll(segments, [step](const Segment& segment) { return segment.step == step; });
}

std::optional<TimeSpan> spanOfSteps(const std::vector<Segment>& segments) {
  return spanOfAll(segments, [](const Segment& segment) { return segment.step > 0 && segment.recorded; });
}

bool launched(const TimelineItem& call, const TimelineItem& activity) {
  return call.call() && activity.activity() && activity.place.first != 0 && activity.place == call.place &&
         activity.segment == call.segment;
}

bool TimelinePicture::isExact() const {
  return std::ranges::all_of(tracks, [](const TrackContent& track) { return track.items.has_value(); });
}

TimelineRun readTimelineRun(const queries::Report& report, std::int64_t run) {
  TimelineRun read{.run = run, .segments = queries::segments(report, run)};
  read.whole = wholeOf(queries::span_of_calls(report, run), read.segments);
  read.texts = queries::call_texts(report, run);
  read.activity_names = activityNamesOf(read.texts.activity_names);
  addThreads(read, queries::track_summary(report, run, read.whole, kOverviewBins), queries::range_depths(report, run));
  addStreams(read, queries::track_summary(report, run, read.whole, kOverviewBins, queries::TrackKind::Streams));
  return read;
}

TimelinePicture readTimelinePicture(const queries::Report& report, const TimelineRun& run, const TimeSpan& span,
                                    int bins, std::int64_t most) {
  TimelinePicture picture{.span = span, .tracks = std::vector<TrackContent>(run.tracks.size())};
  for (const queries::TrackKind kind : {queries::TrackKind::Threads, queries::TrackKind::Streams}) {
    if (run.has(kind) && !readItems(picture, report, run, kind, most)) readBins(picture, report, run, kind, bins);
  }
  readRanges(picture, report, run, most);
  addModules(picture, run);
  return picture;
}

std::vector<StreamTotals> streamTotals(const queries::Report& report, std::int64_t run, const TimeSpan& span,
                                       std::int64_t most) {
  std::map<std::optional<TrackId>, StreamTotals> streams;
  const auto activities = queries::span_activities(report, run, span, most);
  if (!activities) {
    for (const queries::TrackRow& track :
         queries::track_summary(report, run, span, 1, queries::TrackKind::Streams).tracks) {
      StreamTotals& totals = streams[track.track];
      for (const std::int64_t ns : track.bins.front()) saturating_add(totals.ns, ns);
    }
  } else {
    for (const auto& [activity, place] : *activities) {
      StreamTotals& totals = streams[stream_track(activity.device, activity.stream)];
      saturating_add(totals.ns,
                     std::min(span_of(activity).to_ns, span.to_ns) - std::max(activity.start_ns, span.from_ns));
      totals.kernels = totals.kernels.value_or(0) + (activity.kind == GpuActivityKind::Kernel ? 1 : 0);
      saturating_add(totals.bytes, activity.bytes);
    }
  }
  std::vector<StreamTotals> all;
  for (auto& [id, totals] : streams) {
    totals.id = id;
    if (totals.ns > 0 || totals.kernels) all.push_back(totals);
  }
  return all;
}

}  // namespace ampprof::gui
