// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/timeline_scene.h"

#include <algorithm>

#include "gui/models/timeline_text.h"

namespace ampprof::gui {
namespace {

constexpr int kLaneGap = 8;
constexpr int kLeastRows = 2;  // of text, for the items of a lane
constexpr int kMostRows = 8;
constexpr std::size_t kMostLaunches = 300;

bool covers(const TimeSpan& whole, const TimeSpan& part) {
  return whole.from_ns <= part.from_ns && part.to_ns <= whole.to_ns;
}

}  // namespace

const LaneContent* TimelineScene::content(std::size_t lane) const {
  if (!picture || lane >= picture->lanes.size() || !covers(picture->span, view.visible())) return nullptr;
  return &picture->lanes[lane];
}

const std::vector<TimelineItem>* TimelineScene::items(std::size_t lane) const {
  const LaneContent* read = content(lane);
  return read && read->items ? &*read->items : nullptr;
}

TimelineLayout::TimelineLayout(const QFontMetrics& font, const TimelineRun& run, int room)
    : row_(font.height() + 5), gutter_(font.horizontalAdvance("steps")), items_(kLeastRows * row_) {
  place(run);
  const int free = (room - height()) / std::max(static_cast<int>(run.lanes.size()), 1);
  items_ = std::clamp(items_ + free, kLeastRows * row_, kMostRows * row_);
  place(run);
  for (const TimelineLane& lane : run.lanes) gutter_ = std::max(gutter_, font.horizontalAdvance(nameOf(lane)));
  gutter_ += 16;
}

void TimelineLayout::place(const TimelineRun& run) {
  tops_.assign(1, 2 * row_ + kLaneGap);
  levels_.clear();
  for (const TimelineLane& lane : run.lanes) {
    levels_.push_back(lane.levels);
    tops_.push_back(tops_.back() + lane.levels * row_ + items_ + kLaneGap);
  }
}

QRectF TimelineLayout::scopes(std::size_t lane, int level, double width) const {
  return {0.0, double(tops_[lane] + level * row_), width, double(row_)};
}

QRectF TimelineLayout::items(std::size_t lane, double width) const {
  return {0.0, double(tops_[lane] + levels_[lane] * row_), width, double(items_)};
}

std::optional<std::size_t> TimelineLayout::laneAt(double y) const {
  const auto below = std::ranges::upper_bound(tops_, y, {}, [](int top) { return double(top); });
  if (below == tops_.begin() || below == tops_.end()) return std::nullopt;
  return static_cast<std::size_t>(below - tops_.begin()) - 1;
}

TimelineBars barsOf(const TimelineScene& scene, std::size_t lane) {
  if (const auto* items = scene.items(lane)) return {barsOf(*items, scene.view), false};
  if (const LaneContent* read = scene.content(lane)) return {barsOf(read->bins, scene.picture->span, scene.view), true};
  return {barsOf(scene.lanes()[lane].bins, scene.run->whole, scene.view), true};
}

std::vector<const TimelineItem*> launchedByCurrent(const TimelineScene& scene) {
  std::vector<const TimelineItem*> activities;
  if (!scene.current || !scene.run->has(LaneKind::Threads)) return activities;
  const auto knows_launch = [](const TimelineItem& item) { return item.activity() && item.activity()->launched_ns != 0; };
  if (knows_launch(*scene.current)) activities.push_back(&*scene.current);
  if (!scene.current->call()) return activities;
  for (std::size_t lane = 0; lane < scene.lanes().size(); ++lane) {
    const auto* items = scene.lanes()[lane].kind == LaneKind::Streams ? scene.items(lane) : nullptr;
    if (items == nullptr) continue;
    for (const TimelineItem& item : *items) {
      if (activities.size() == kMostLaunches) return activities;
      if (launched(*scene.current, item) && knows_launch(item)) activities.push_back(&item);
    }
  }
  return activities;
}

}  // namespace ampprof::gui
