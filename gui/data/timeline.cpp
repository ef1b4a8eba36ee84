// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/timeline.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace ampprof::gui {
namespace {

constexpr int kOverviewBins = 4096;

using Path = std::vector<std::string_view>;

/// "backward", "decoder", "up2"
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

/// Scopes that are open while calls go by.
class OpenScopes {
 public:
  void add(const SpanCall& call, const Path& path) {
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

std::size_t laneOf(std::int32_t thread, const std::vector<LaneRow>& lanes) {
  const auto found = std::ranges::find(lanes, std::optional<LaneId>(thread), &LaneRow::lane);
  return static_cast<std::size_t>(std::min(found, lanes.end() - 1) - lanes.begin());
}

}  // namespace

std::vector<Scope> scopesOf(std::span<const SpanCall> calls, const CallSites& sites) {
  std::unordered_map<std::int64_t, Path> paths;
  OpenScopes open;
  for (const SpanCall& call : calls) {
    const auto [path, is_new] = paths.try_emplace(call.place.first);
    if (is_new) {
      const auto site = sites.find(call.place.first);
      if (site != sites.end()) path->second = pathOf(site->second);
    }
    open.add(call, path->second);
  }
  return std::move(open).closed();
}

int scopeLevelsOf(const CallSites& sites) {
  std::size_t levels = 1;
  for (const auto& [id, site] : sites) levels = std::max(levels, pathOf(site).size());
  return static_cast<int>(levels);
}

TimelineRun readTimelineRun(const Report& report, std::int64_t run) {
  TimelineRun read{.run = run, .whole = {}, .segments = report.segments(run), .texts = {}, .overview = {}};
  read.whole = wholeOf(report.span_of_calls(run), read.segments);
  read.texts = report.call_texts(run);
  read.overview = report.lane_summary(run, read.whole, kOverviewBins);
  read.scope_levels = scopeLevelsOf(read.texts.sites);
  return read;
}

TimelinePicture readTimelinePicture(const Report& report, const TimelineRun& run, const TimeSpan& span, int bins,
                                    std::int64_t most_calls) {
  TimelinePicture picture{.span = span, .summary = {}, .calls = {}, .scopes = {}};
  if (span == run.whole && run.overview.calls > most_calls) {
    picture.summary = run.overview;
    return picture;
  }
  const auto calls = report.span_calls(run.run, span, most_calls);
  if (!calls) {
    picture.summary = report.lane_summary(run.run, span, bins);
    return picture;
  }
  const std::vector<LaneRow>& lanes = run.overview.lanes;
  if (lanes.empty()) return picture;
  picture.calls.resize(lanes.size());
  for (const SpanCall& call : *calls) picture.calls[laneOf(call.thread, lanes)].push_back(call);
  for (const auto& lane : picture.calls) picture.scopes.push_back(scopesOf(lane, run.texts.sites));
  return picture;
}

}  // namespace ampprof::gui
