// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFontMetrics>
#include <QRectF>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "gui/models/timeline_view.h"

namespace ampprof::gui {

/// Holds what a timeline shows now. `run` is never null.
struct TimelineScene {
  std::shared_ptr<const TimelineRun> run;
  std::shared_ptr<const TimelinePicture> picture;  ///< null before the first
  TimelineView view;
  std::set<SiteInStep> selected;        ///< what belongs to these is outlined
  std::optional<TimelineItem> current;  ///< that the keys are at
  std::optional<TimeSpan> measured;
  std::size_t track = 0;  ///< that the keys are in

  const std::vector<TimelineTrack>& tracks() const { return run->tracks; }
  /// Returns the content that was read for a track; null if it does not cover the visible span.
  const TrackContent* content(std::size_t track) const;
  /// Returns the items of a track; null if only a summary was read.
  const std::vector<TimelineItem>* items(std::size_t track) const;
};

/// Lays out the parts of a timeline, in pixels: time axis, steps, then for each track its scopes and its items. Items
/// grow with the room.
class TimelineLayout {
 public:
  TimelineLayout(const QFontMetrics& font, const TimelineRun& run, int room = 0);

  int gutter() const { return gutter_; }  ///< of names, left of the times
  int height() const { return tops_.back(); }
  int axisHeight() const { return row_; }
  QRectF steps(double width) const { return {0.0, double(row_), width, double(row_)}; }
  QRectF scopes(std::size_t track, int level, double width) const;
  QRectF items(std::size_t track, double width) const;
  /// The track at a height, its scopes included; empty above and below all.
  std::optional<std::size_t> trackAt(double y) const;

 private:
  void place(const TimelineRun& run);

  int row_;
  int gutter_;
  int items_;              ///< height of a track's items
  std::vector<int> tops_;  ///< of tracks, and the end of the last
  std::vector<int> levels_;
};

/// Bars of a track: items where they are here, else columns of a summary.
struct TimelineBars {
  std::vector<TimelineBar> bars;
  bool is_summary = false;
};
TimelineBars barsOf(const TimelineScene& scene, std::size_t track);

/// Returns what the current item launched, where it is a call; the item itself, where it is an activity. Without those
/// whose launch is not known, and at most some hundred.
std::vector<const TimelineItem*> launchedByCurrent(const TimelineScene& scene);

}  // namespace ampprof::gui
