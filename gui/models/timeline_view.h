// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "gui/data/timeline.h"

namespace ampprof::gui {

/// The part of a run that is visible, and where its times are in a stretch of pixels. It never leaves the run.
class TimelineView {
 public:
  TimelineView() = default;
  explicit TimelineView(const TimeSpan& whole);

  /// Keeps the visible span.
  void setWidth(double pixels);
  double width() const { return width_; }
  const TimeSpan& whole() const { return whole_; }
  TimeSpan visible() const;
  double nsPerPixel() const { return length_ns_ / width_; }

  double xOf(std::int64_t ns) const { return (static_cast<double>(ns) - from_ns_) / nsPerPixel(); }
  /// Clamped to the run.
  std::int64_t timeAt(double x) const;

  /// Changes the scale; the moment at `x` stays there. A factor above 1 shows less time.
  void zoom(double factor, double x);
  /// Shows what lies so many pixels to the right.
  void pan(double pixels);
  /// Shows a span with a margin around it.
  void focus(const TimeSpan& span);
  void showWhole();

 private:
  void show(double from_ns, double length_ns);

  TimeSpan whole_;
  double from_ns_ = 0.0;
  double length_ns_ = 1.0;
  double width_ = 1.0;
};

/// A bar that is drawn as one: an item, or several that are too narrow to be told apart.
struct TimelineBar {
  double from_x = 0.0;
  double to_x = 0.0;      ///< at least a pixel behind from_x
  std::size_t first = 0;  ///< place of the first one in what the bars were made of
  std::size_t count = 0;  ///< of them; more than 1 is to be marked as merged
  ClassTimes times{};     ///< by TimelineItem::kind

  bool isMerged() const { return count > 1; }
};

inline constexpr double kWidestMergedSlice = 3.0;  ///< pixels; wider ones would hide what changes within them

/// The items of a track, by start. Neighbours narrower than a pixel, with less than a pixel between them, are merged.
std::vector<TimelineBar> barsOf(const std::vector<TimelineItem>& items, const TimelineView& view);
/// Returns the bars of the scopes of one level.
std::vector<TimelineBar> barsOf(const std::vector<Scope>& scopes, int depth, const TimelineView& view);
std::vector<TimelineBar> barsOf(const std::vector<Segment>& segments, const TimelineView& view);
/// Columns of a pixel or more of equal parts of `span`; their count is that of parts.
std::vector<TimelineBar> barsOf(const std::vector<ClassTimes>& bins, const TimeSpan& span, const TimelineView& view);

/// The bar at a place; null where there is none.
const TimelineBar* barAt(const std::vector<TimelineBar>& bars, double x);

struct TimelineTick {
  double x = 0.0;
  std::int64_t ns = 0;
};

/// Round times that are at least so many pixels apart: 1, 2 or 5 times a power of ten ns.
struct TimelineTicks {
  std::int64_t step_ns = 1;
  std::vector<TimelineTick> ticks;
};
TimelineTicks ticksOf(const TimelineView& view, double least_pixels);

/// "12 ms", "12,345 µs": exact for a multiple of the step.
std::string tickText(std::int64_t ns, std::int64_t step_ns);

}  // namespace ampprof::gui
