// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "gui/data/timeline.h"

namespace ampprof::gui {

inline constexpr double kMarginOfFocus = 0.1;  ///< margin on each side of a focused span, as a fraction of the span

/// Maps the visible part of a run to pixels. The visible span always lies within the run.
class TimelineView {
 public:
  TimelineView() = default;
  explicit TimelineView(const TimeSpan& whole);

  /// Sets the width. The visible span does not change.
  void setWidth(double pixels);
  double width() const { return width_; }
  const TimeSpan& whole() const { return whole_; }
  TimeSpan visible() const;
  double nsPerPixel() const { return length_ns_ / width_; }

  double xOf(std::int64_t ns) const { return (static_cast<double>(ns) - from_ns_) / nsPerPixel(); }
  /// Returns the time at `x`, clamped to the run.
  std::int64_t timeAt(double x) const;

  /// Scales the view around the time at `x`. A factor above 1 shows less time.
  void zoom(double factor, double x);
  /// Moves the visible span to the right by `pixels`.
  void pan(double pixels);
  /// Shows a span with a margin on each side, given as a fraction of the span.
  void focus(const TimeSpan& span, double margin = kMarginOfFocus);
  void showWhole();

 private:
  void show(double from_ns, double length_ns);

  TimeSpan whole_;
  double from_ns_ = 0.0;
  double length_ns_ = 1.0;
  double width_ = 1.0;
};

/// A drawn bar: one item, or several that are too narrow to be drawn separately.
struct TimelineBar {
  double from_x = 0.0;
  double to_x = 0.0;      ///< at least from_x + 1
  std::size_t first = 0;  ///< index of the first item in the input of barsOf()
  std::size_t count = 0;  ///< number of items; above 1 for a merged bar
  ClassTimes times{};     ///< indexed by TimelineItem::kind

  bool isMerged() const { return count > 1; }
};

/// Maximum width of a merged bar, in pixels; a wider bar would hide changes within the bar.
inline constexpr double kWidestMergedSlice = 3.0;

/// Returns the bars of items, which must be sorted by start. Merges adjacent items if both items and the gap between
/// them are narrower than a pixel.
std::vector<TimelineBar> barsOf(const std::vector<TimelineItem>& items, const TimelineView& view);
/// Returns the bars of the scopes of one level.
std::vector<TimelineBar> barsOf(const std::vector<Scope>& scopes, int depth, const TimelineView& view);
std::vector<TimelineBar> barsOf(const std::vector<Segment>& segments, const TimelineView& view);
/// Returns bars for totals of equal parts of `span`. Merges parts so that a bar is at least a pixel wide;
/// TimelineBar::count is the number of merged parts.
std::vector<TimelineBar> barsOf(const std::vector<ClassTimes>& bins, const TimeSpan& span, const TimelineView& view);

/// Returns the bar at `x`; null if there is none.
const TimelineBar* barAt(const std::vector<TimelineBar>& bars, double x);

struct TimelineTick {
  double x = 0.0;
  std::int64_t ns = 0;
};

/// Ticks at multiples of `step_ns`, which is 1, 2 or 5 times a power of ten.
struct TimelineTicks {
  std::int64_t step_ns = 1;
  std::vector<TimelineTick> ticks;
};
TimelineTicks ticksOf(const TimelineView& view, double least_pixels);

inline constexpr double kTickLabelGap = 3.0;  ///< distance of a label from its tick, in pixels

/// Tells whether a label of this width, right of a tick, ends within the view.
bool fitsLabel(const TimelineTick& tick, double label_width, const TimelineView& view);

/// Returns "12 ms", "12,345 µs": exact for a multiple of `step_ns`.
std::string tickText(std::int64_t ns, std::int64_t step_ns);

}  // namespace ampprof::gui
