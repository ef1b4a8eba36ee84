// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/time/timeline_painter.h"

#include <QPainter>
#include <algorithm>

#include "gui/delegates/heat_delegate.h"
#include "gui/delegates/precision_colours.h"
#include "gui/models/timeline_text.h"

namespace ampprof::gui {
namespace {

constexpr double kTickDistance = 110.0;  // minimum distance of ticks in pixels, for a label and spacing
constexpr double kNarrowestText = 24.0;
constexpr double kLowestAlarm = 4.0;  // minimum height of NaN or inf in a column, in pixels

// Classes from bottom to top. The worst class is first, so that it always has space.
constexpr PrecisionClass kStackOfCalls[] = {PrecisionClass::NonFinite, PrecisionClass::Cast, PrecisionClass::Reduced,
                                            PrecisionClass::Full, PrecisionClass::Other};
constexpr ActivityClass kStackOfActivities[] = {ActivityClass::Matmul, ActivityClass::TensorCores,
                                                ActivityClass::Kernel, ActivityClass::Memcpy, ActivityClass::Memset};
constexpr double kSelected = 1.6;  // width of the outline of a selected item, in pixels
constexpr double kCurrent = 3.0;
constexpr double kFarOut = 2'000;  // lines from a launch end at most this far outside the view, in pixels

QColor faded(QColor colour, double alpha) {
  colour.setAlphaF(static_cast<float>(alpha));
  return colour;
}

/// Paints the parts of one scene. x = 0 is the start of the time axis.
class Painter {
 public:
  Painter(QPainter& to, const TimelineScene& scene, const TimelineLayout& layout, const QPalette& palette)
      : to_(to), scene_(scene), layout_(layout), palette_(palette), width_(scene.view.width()) {
    text_ = palette.color(QPalette::Text);
    base_ = palette.color(QPalette::Base);
  }

  void axis() {
    const TimelineTicks ticks = ticksOf(scene_.view, kTickDistance);
    const double row = layout_.axisHeight();
    for (const TimelineTick& tick : ticks.ticks) {
      to_.setPen(faded(text_, 0.15));
      to_.drawLine(QPointF(tick.x, 2 * row), QPointF(tick.x, layout_.height()));
      to_.setPen(text_);
      to_.drawLine(QPointF(tick.x, row - 4), QPointF(tick.x, row));
      const QString label = QString::fromStdString(tickText(tick.ns, ticks.step_ns));
      if (!fitsLabel(tick, to_.fontMetrics().horizontalAdvance(label), scene_.view)) continue;
      to_.drawText(QRectF(tick.x + kTickLabelGap, 0, kTickDistance, row - 2), Qt::AlignVCenter, label);
    }
  }

  void steps() {
    const QRectF row = layout_.steps(width_);
    for (const TimelineBar& bar : barsOf(scene_.run->segments, scene_.view)) {
      const auto first = scene_.run->segments.begin() + static_cast<std::ptrdiff_t>(bar.first);
      const bool is_skipped = std::any_of(first, first + static_cast<std::ptrdiff_t>(bar.count),
                                          [](const Segment& segment) { return segment.skipped; });
      const QRectF rect = rectOf(bar, row.adjusted(0, 1, 0, -1));
      plainBar(rect, first->step % 2 == 0 ? 0.24 : 0.16, bar.isMerged());
      if (is_skipped) {
        const QColor alarm = colourOf(PrecisionClass::NonFinite, palette_);
        to_.fillRect(QRectF(rect.left(), rect.bottom() - 4, rect.width(), 4), alarm);
      }
      if (!bar.isMerged()) label(rect, textOf(*first), text_);
    }
  }

  void scopes(std::size_t track) {
    const TimelineTrack& shown = scene_.tracks()[track];
    const TrackContent* read = scene_.content(track);
    if (shown.levels == 0) return;
    if (shown.range_levels > 0 && (read == nullptr || scene_.picture->hides_ranges)) {
      hint(layout_.scopes(track, 0, width_), "W zooms in to NVTX ranges");
    }
    if (shown.levels > shown.range_levels && !scene_.items(track)) {
      hint(layout_.scopes(track, shown.range_levels, width_), "W zooms in to op calls and their modules");
    }
    if (read == nullptr) return;
    for (int level = 0; level < shown.levels; ++level) scopes(track, read->scopes, level);
  }

  void items(std::size_t track) {
    const QRectF row = layout_.items(track, width_);
    const TimelineBars bars = barsOf(scene_, track);
    const queries::TrackKind kind = scene_.tracks()[track].kind;
    to_.fillRect(row, faded(text_, 0.04));
    for (const TimelineBar& bar : bars.bars) {
      const QRectF rect = rectOf(bar, row);
      if (bars.is_summary) {
        stack(rect, kind, bar.times, (bar.to_x - bar.from_x) * scene_.view.nsPerPixel());
      } else if (bar.isMerged()) {
        mergedSlice(rect, kind, bar);
      } else {
        item(rect, kind, scene_.items(track)->at(bar.first));
      }
    }
    if (const std::vector<TimelineItem>* all = scene_.items(track)) outlines(row, *all);
  }

  /// Draws a line from the launch of each activity in launchedByCurrent() to the activity.
  void launches() {
    to_.setPen(QPen(text_, 1));
    for (const TimelineItem* item : launchedByCurrent(scene_)) {
      const double from = scene_.view.xOf(item->activity()->launched_ns);
      const double to = scene_.view.xOf(item->start_ns);
      if (std::max(from, to) < 0 || std::min(from, to) > width_) continue;
      const std::size_t thread = scene_.run->trackOf(queries::TrackKind::Threads, item->activity()->thread);
      to_.drawLine(QPointF(std::max(from, -kFarOut), layout_.items(thread, width_).bottom()),
                   QPointF(std::min(to, width_ + kFarOut), layout_.items(item->track, width_).top()));
    }
  }

  void name(std::size_t track, bool is_current) {
    const QRectF row = layout_.items(track, width_);
    const QRectF place(-layout_.gutter(), row.top(), layout_.gutter() - 6, row.height());
    if (is_current) to_.fillRect(QRectF(-layout_.gutter(), row.top(), 3, row.height()), palette_.highlight());
    to_.setPen(text_);
    to_.drawText(place, Qt::AlignVCenter | Qt::AlignRight, nameOf(scene_.tracks()[track]));
  }

  /// Fills the background of the measured span. Called first, so that it does not tint other parts.
  void measured() {
    if (!scene_.measured) return;
    to_.fillRect(measuredRect(), faded(palette_.color(QPalette::Highlight), 0.25));
  }

  void edgesOfMeasured() {
    if (!scene_.measured) return;
    const QRectF rect = measuredRect();
    to_.setPen(palette_.color(QPalette::Highlight));
    to_.drawLine(rect.topLeft(), rect.bottomLeft());
    to_.drawLine(rect.topRight(), rect.bottomRight());
  }

 private:
  QRectF measuredRect() const {
    const double from = scene_.view.xOf(scene_.measured->from_ns);
    const double to = scene_.view.xOf(scene_.measured->to_ns);
    return {from, 0, std::max(to - from, 1.0), double(layout_.height())};
  }

  QRectF rectOf(const TimelineBar& bar, const QRectF& row) const {
    const double from = std::max(bar.from_x, -1.0);
    return {from, row.top(), std::min(bar.to_x, width_ + 1.0) - from, row.height()};
  }

  void label(const QRectF& rect, const QString& text, const QColor& ink) {
    const QRectF visible = rect.intersected(QRectF(0, rect.top(), width_, rect.height())).adjusted(3, 0, -2, 0);
    if (visible.width() < kNarrowestText) return;
    to_.setPen(ink);
    to_.drawText(visible, Qt::AlignVCenter | Qt::AlignLeft,
                 to_.fontMetrics().elidedText(text, Qt::ElideRight, static_cast<int>(visible.width())));
  }

  void hint(const QRectF& row, const QString& text) { label(row, text, faintColour(base_, text_)); }

  /// Paints the scopes of one level. NVTX ranges have a left edge in the text colour; modules, which ampprof derives
  /// from call sites, have no edge.
  void scopes(std::size_t track, const std::vector<Scope>& scopes, int level) {
    const QRectF row = layout_.scopes(track, level, width_);
    const int ranges = scene_.tracks()[track].range_levels;
    const bool is_range = level < ranges;
    for (const TimelineBar& bar : barsOf(scopes, level, scene_.view)) {
      const QRectF whole = rectOf(bar, row.adjusted(0, 0, 0, -1));
      const QRectF rect = whole.width() > 3 ? whole.adjusted(0, 0, -1, 0) : whole;
      plainBar(rect, is_range ? 0.06 : 0.2 - 0.03 * (level - ranges), bar.isMerged());
      if (is_range && bar.from_x > -2)
        to_.fillRect(QRectF(rect.left(), rect.top(), std::min(rect.width(), 2.0), rect.height()), text_);
      if (!bar.isMerged()) label(rect, QString::fromStdString(scopes[bar.first].name), text_);
    }
  }

  void hatch(const QRectF& rect, const QColor& ink) { to_.fillRect(rect, QBrush(ink, Qt::BDiagPattern)); }

  void plainBar(const QRectF& rect, double alpha, bool is_merged) {
    to_.fillRect(rect, faded(text_, alpha));
    if (is_merged) hatch(rect, faded(text_, 0.3));
  }

  /// Paints a column with the times of classes on top of each other. `whole` is the time, in ns, that fills the full
  /// height.
  void stack(const QRectF& rect, queries::TrackKind track, const ClassTimes& times, double whole) {
    double bottom = rect.bottom();
    const auto add = [&](std::size_t kind, double least) {
      const std::int64_t ns = times.at(kind);
      if (ns == 0) return;
      const double height = std::max(rect.height() * std::min(static_cast<double>(ns) / whole, 1.0), least);
      const double top = std::max(bottom - height, rect.top());
      to_.fillRect(QRectF(rect.left(), top, rect.width(), bottom - top), colourOf(track, kind, palette_));
      bottom = top;
    };
    if (track == queries::TrackKind::Threads) {
      for (const PrecisionClass kind : kStackOfCalls) {
        add(static_cast<std::size_t>(kind), kind == PrecisionClass::NonFinite ? kLowestAlarm : 0.0);
      }
    } else {
      for (const ActivityClass kind : kStackOfActivities) add(static_cast<std::size_t>(kind), 0.0);
    }
  }

  void mergedSlice(const QRectF& rect, queries::TrackKind track, const TimelineBar& bar) {
    double whole = 0;
    for (const std::int64_t ns : bar.times) whole += static_cast<double>(ns);
    stack(rect, track, bar.times, whole);
    hatch(rect, faded(base_, 0.55));
  }

  void item(const QRectF& rect, queries::TrackKind track, const TimelineItem& item) {
    const QColor colour = colourOf(track, item.kind, palette_);
    to_.fillRect(rect.width() > 3 ? rect.adjusted(0, 0, -1, 0) : rect, colour);
    if (rect.width() >= kNarrowestText) label(rect, labelOf(item, *scene_.run), inkOn(colour));
  }

  void outline(const QRectF& row, const TimelineItem& item, double pen) {
    const double from = scene_.view.xOf(item.start_ns);
    const double to = std::max(scene_.view.xOf(item.end_ns), from + 2.0);
    if (to < 0 || from > width_) return;
    to_.setPen(QPen(text_, pen, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    to_.drawRect(
        QRectF(std::max(from, -4.0), row.top() - 1, std::min(to, width_ + 4) - std::max(from, -4.0), row.height() + 2));
  }

  void outlines(const QRectF& row, const std::vector<TimelineItem>& items) {
    to_.setBrush(Qt::NoBrush);
    const auto& current = scene_.current;
    for (const TimelineItem& item : items) {
      const bool is_current = current && (current->isSame(item) || launched(*current, item));
      if (is_current || scene_.selected.contains(item.place)) outline(row, item, is_current ? kCurrent : kSelected);
    }
  }

  QPainter& to_;
  const TimelineScene& scene_;
  const TimelineLayout& layout_;
  const QPalette& palette_;
  double width_;
  QColor text_;
  QColor base_;
};

}  // namespace

void paintTimeline(QPainter& painter, const TimelineScene& scene, const TimelineLayout& layout, const QPalette& palette,
                   bool has_focus) {
  painter.save();
  painter.translate(layout.gutter(), 0);
  Painter parts(painter, scene, layout, palette);
  painter.setPen(palette.color(QPalette::Text));
  painter.drawText(layout.steps(1).adjusted(-layout.gutter(), 0, -7, 0), Qt::AlignVCenter | Qt::AlignRight, "steps");
  for (std::size_t track = 0; track < scene.tracks().size(); ++track)
    parts.name(track, has_focus && track == scene.track);
  painter.setClipRect(QRectF(0, 0, scene.view.width(), layout.height()));
  parts.measured();
  parts.axis();
  parts.steps();
  for (std::size_t track = 0; track < scene.tracks().size(); ++track) {
    parts.scopes(track);
    parts.items(track);
  }
  parts.launches();
  parts.edgesOfMeasured();
  painter.restore();
}

}  // namespace ampprof::gui
