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

/// State that a timeline shows. `run` is null only before TimelineCanvas::showRun(); the member functions need a run.
struct TimelineScene {
  std::shared_ptr<const TimelineRun> run;
  std::shared_ptr<const TimelinePicture> picture;  ///< null until the first picture has been read
  TimelineView view;
  /// Call sites whose calls are outlined, with the activities that these calls launched.
  std::set<SiteInStep> selected;
  std::optional<TimelineItem> current;  ///< item from which the arrow keys step
  std::optional<TimeSpan> measured;
  std::size_t track = 0;  ///< track in which the arrow keys step

  const std::vector<TimelineTrack>& tracks() const { return run->tracks; }
  /// Returns the content of a track; null if the picture does not cover the visible span.
  const TrackContent* content(std::size_t track) const;
  /// Returns the items of a track; null if only totals were read, or if the picture does not cover the visible span.
  const std::vector<TimelineItem>* items(std::size_t track) const;
};

/// Positions of the parts of a timeline, in pixels. From top to bottom: time axis, steps, then scopes and items of each
/// track. Items are higher if `room`, the available height, is larger.
class TimelineLayout {
 public:
  TimelineLayout(const QFontMetrics& font, const TimelineRun& run, int room = 0);

  int gutter() const { return gutter_; }  ///< width of the column of track names, left of the time axis
  int height() const { return tops_.back(); }
  int axisHeight() const { return row_; }
  QRectF steps(double width) const { return {0.0, double(row_), width, double(row_)}; }
  QRectF scopes(std::size_t track, int level, double width) const;
  QRectF items(std::size_t track, double width) const;
  /// Returns the track at y, including its scopes; empty outside all tracks.
  std::optional<std::size_t> trackAt(double y) const;

 private:
  void place(const TimelineRun& run);

  int row_;
  int gutter_;
  int items_;              ///< height of a track's items
  std::vector<int> tops_;  ///< y of the top of each track, and of the bottom of the last track
  std::vector<int> levels_;
};

/// Bars of a track: of its items if they were read, else columns of a summary.
struct TimelineBars {
  std::vector<TimelineBar> bars;
  bool is_summary = false;
};
TimelineBars barsOf(const TimelineScene& scene, std::size_t track);

/// Returns the activities that the current call launched; if the current item is an activity, that activity. Leaves out
/// activities with an unknown launch. Returns at most a few hundred.
std::vector<const TimelineItem*> launchedByCurrent(const TimelineScene& scene);

}  // namespace ampprof::gui
