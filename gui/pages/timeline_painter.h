// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFontMetrics>
#include <QPalette>
#include <QRectF>
#include <memory>
#include <optional>
#include <set>

#include "gui/models/timeline_view.h"

class QPainter;

namespace ampprof::gui {

/// What a timeline shows now. `run` is never null.
struct TimelineScene {
  std::shared_ptr<const TimelineRun> run;
  std::shared_ptr<const TimelinePicture> picture;  ///< null before the first
  TimelineView view;
  std::set<SiteInStep> selected;    ///< whose calls are outlined
  std::optional<SpanCall> current;  ///< the call that the keys are at
  std::optional<TimeSpan> measured;
  std::size_t lane = 0;  ///< that the keys are in

  const std::vector<LaneRow>& lanes() const { return run->overview.lanes; }
  /// The calls of a lane; null where only a summary of them is here.
  const std::vector<SpanCall>* calls(std::size_t lane) const;
};

/// Where the parts of a timeline are, in pixels: time axis, steps, then for each lane its scopes and its ops, which
/// grow with the room there is.
class TimelineLayout {
 public:
  TimelineLayout(const QFontMetrics& font, const TimelineRun& run, int room = 0);

  int gutter() const { return gutter_; }  ///< of names, left of the times
  int height() const { return laneTop(lanes_) + kGap; }
  int axisHeight() const { return row_; }
  QRectF steps(double width) const { return {0.0, double(row_), width, double(row_)}; }
  QRectF scopes(std::size_t lane, int level, double width) const;
  QRectF ops(std::size_t lane, double width) const;
  /// The lane at a height, its scopes included; empty above and below all.
  std::optional<std::size_t> laneAt(double y) const;

 private:
  static constexpr int kGap = 8;
  int laneTop(std::size_t lane) const;

  int row_;
  int gutter_;
  int levels_;
  int ops_;  ///< height of a lane's ops
  std::size_t lanes_;
};

/// Bars of a lane's ops: calls where they are here, else columns of a summary.
struct TimelineOps {
  std::vector<TimelineBar> bars;
  bool is_summary = false;
};
TimelineOps opsOf(const TimelineScene& scene, std::size_t lane);

void paintTimeline(QPainter& painter, const TimelineScene& scene, const TimelineLayout& layout, const QPalette& palette,
                   bool has_focus);

}  // namespace ampprof::gui
