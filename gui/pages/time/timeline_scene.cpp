// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/time/timeline_scene.h"

#include <algorithm>

#include "gui/models/timeline_text.h"

namespace ampprof::gui {
namespace {

constexpr int kTrackGap = 8;
constexpr int kLeastRows = 2;  // minimum height of a track's items, in lines of text
constexpr int kMostRows = 8;
constexpr std::size_t kMostLaunches = 300;

bool covers(const TimeSpan& whole, const TimeSpan& part) {
  return whole.from_ns <= part.from_ns && part.to_ns <= whole.to_ns;
}

}  // namespace

const TrackContent* TimelineScene::content(std::size_t track) const {
  if (!picture || track >= picture->tracks.size() || !covers(picture->span, view.visible())) return nullptr;
  return &picture->tracks[track];
}

const std::vector<TimelineItem>* TimelineScene::items(std::size_t track) const {
  const TrackContent* read = content(track);
  return read && read->items ? &*read->items : nullptr;
}

TimelineLayout::TimelineLayout(const QFontMetrics& font, const TimelineRun& run, int room)
    : row_(font.height() + 5), gutter_(font.horizontalAdvance("steps")), items_(kLeastRows * row_) {
  place(run);
  const int free = (room - height()) / std::max(static_cast<int>(run.tracks.size()), 1);
  items_ = std::clamp(items_ + free, kLeastRows * row_, kMostRows * row_);
  place(run);
  for (const TimelineTrack& track : run.tracks) gutter_ = std::max(gutter_, font.horizontalAdvance(nameOf(track)));
  gutter_ += 16;
}

void TimelineLayout::place(const TimelineRun& run) {
  tops_.assign(1, 2 * row_ + kTrackGap);
  levels_.clear();
  for (const TimelineTrack& track : run.tracks) {
    levels_.push_back(track.levels);
    tops_.push_back(tops_.back() + track.levels * row_ + items_ + kTrackGap);
  }
}

QRectF TimelineLayout::scopes(std::size_t track, int level, double width) const {
  return {0.0, double(tops_[track] + level * row_), width, double(row_)};
}

QRectF TimelineLayout::items(std::size_t track, double width) const {
  return {0.0, double(tops_[track] + levels_[track] * row_), width, double(items_)};
}

std::optional<std::size_t> TimelineLayout::trackAt(double y) const {
  const auto below = std::ranges::upper_bound(tops_, y, {}, [](int top) { return double(top); });
  if (below == tops_.begin() || below == tops_.end()) return std::nullopt;
  return static_cast<std::size_t>(below - tops_.begin()) - 1;
}

TimelineBars barsOf(const TimelineScene& scene, std::size_t track) {
  if (const auto* items = scene.items(track)) return {barsOf(*items, scene.view), false};
  if (const TrackContent* read = scene.content(track))
    return {barsOf(read->bins, scene.picture->span, scene.view), true};
  return {barsOf(scene.tracks()[track].bins, scene.run->whole, scene.view), true};
}

std::vector<const TimelineItem*> launchedByCurrent(const TimelineScene& scene) {
  std::vector<const TimelineItem*> activities;
  if (!scene.current || !scene.run->has(queries::TrackKind::Threads)) return activities;
  const auto knows_launch = [](const TimelineItem& item) {
    return item.activity() && item.activity()->launched_ns != 0;
  };
  if (knows_launch(*scene.current)) activities.push_back(&*scene.current);
  if (!scene.current->call()) return activities;
  for (std::size_t track = 0; track < scene.tracks().size(); ++track) {
    const auto* items = scene.tracks()[track].kind == queries::TrackKind::Streams ? scene.items(track) : nullptr;
    if (items == nullptr) continue;
    for (const TimelineItem& item : *items) {
      if (activities.size() == kMostLaunches) return activities;
      if (launched(*scene.current, item) && knows_launch(item)) activities.push_back(&item);
    }
  }
  return activities;
}

}  // namespace ampprof::gui
