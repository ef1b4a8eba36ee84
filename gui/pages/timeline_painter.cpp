// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/timeline_painter.h"

#include <QPainter>
#include <algorithm>

#include "gui/delegates/heat_delegate.h"
#include "gui/delegates/precision_colours.h"
#include "gui/models/timeline_text.h"

namespace ampprof::gui {
namespace {

constexpr double kTickDistance = 110.0;  // pixels: a text and some air
constexpr double kNarrowestText = 24.0;
constexpr int kLeastRows = 2;  // of text, for the ops of a lane
constexpr int kMostRows = 8;
constexpr double kLowestAlarm = 4.0;  // pixels of a NaN or inf among many calls

// From the bottom. What is worst comes first, so that there is always room for it.
constexpr PrecisionClass kStack[] = {PrecisionClass::NonFinite, PrecisionClass::Cast, PrecisionClass::Reduced,
                                     PrecisionClass::Full, PrecisionClass::Other};

QColor faded(QColor colour, double alpha) {
  colour.setAlphaF(static_cast<float>(alpha));
  return colour;
}

/// Paints the parts of one scene. Times begin at x = 0.
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
      to_.drawText(QRectF(tick.x + 3, 0, kTickDistance, row - 2), Qt::AlignVCenter,
                   QString::fromStdString(tickText(tick.ns, ticks.step_ns)));
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

  void scopes(std::size_t lane) {
    if (!scene_.calls(lane)) {
      label(layout_.scopes(lane, 0, width_), "W zooms in, to op calls and their modules", faintColour(base_, text_));
      return;
    }
    const std::vector<Scope>& scopes = scene_.picture->scopes[lane];
    for (int level = 0; level < scene_.run->scope_levels; ++level) {
      const QRectF row = layout_.scopes(lane, level, width_);
      for (const TimelineBar& bar : barsOf(scopes, level, scene_.view)) {
        const QRectF rect = rectOf(bar, row.adjusted(0, 0, 0, -1));
        plainBar(rect.width() > 3 ? rect.adjusted(0, 0, -1, 0) : rect, 0.2 - 0.03 * level, bar.isMerged());
        if (!bar.isMerged()) label(rect, QString::fromStdString(scopes[bar.first].name), text_);
      }
    }
  }

  void ops(std::size_t lane) {
    const QRectF row = layout_.ops(lane, width_);
    const TimelineOps ops = opsOf(scene_, lane);
    to_.fillRect(row, faded(text_, 0.04));
    for (const TimelineBar& bar : ops.bars) {
      const QRectF rect = rectOf(bar, row);
      if (ops.is_summary) {
        stack(rect, bar.times, (bar.to_x - bar.from_x) * scene_.view.nsPerPixel());
      } else if (bar.isMerged()) {
        sliver(rect, bar);
      } else {
        call(rect, scene_.calls(lane)->at(bar.first));
      }
    }
    if (const std::vector<SpanCall>* calls = scene_.calls(lane)) outlines(row, *calls);
  }

  void name(std::size_t lane, bool is_current) {
    const QRectF row = layout_.ops(lane, width_);
    const QRectF place(-layout_.gutter(), row.top(), layout_.gutter() - 6, row.height());
    if (is_current) to_.fillRect(QRectF(-layout_.gutter(), row.top(), 3, row.height()), palette_.highlight());
    to_.setPen(text_);
    to_.drawText(place, Qt::AlignVCenter | Qt::AlignRight, nameOf(scene_.lanes()[lane]));
  }

  /// Behind everything, so that it changes no colour.
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

  void hatch(const QRectF& rect, const QColor& ink) { to_.fillRect(rect, QBrush(ink, Qt::BDiagPattern)); }

  void plainBar(const QRectF& rect, double alpha, bool is_merged) {
    to_.fillRect(rect, faded(text_, alpha));
    if (is_merged) hatch(rect, faded(text_, 0.3));
  }

  /// Times of classes on top of each other; `whole` ns are the full height.
  void stack(const QRectF& rect, const ClassTimes& times, double whole) {
    double bottom = rect.bottom();
    for (const PrecisionClass kind : kStack) {
      const std::int64_t ns = times[static_cast<std::size_t>(kind)];
      if (ns == 0) continue;
      double height = rect.height() * std::min(static_cast<double>(ns) / whole, 1.0);
      if (kind == PrecisionClass::NonFinite) height = std::max(height, kLowestAlarm);
      const double top = std::max(bottom - height, rect.top());
      to_.fillRect(QRectF(rect.left(), top, rect.width(), bottom - top), colourOf(kind, palette_));
      bottom = top;
    }
  }

  void sliver(const QRectF& rect, const TimelineBar& bar) {
    double whole = 0;
    for (const std::int64_t ns : bar.times) whole += static_cast<double>(ns);
    stack(rect, bar.times, whole);
    hatch(rect, faded(base_, 0.55));
  }

  void call(const QRectF& rect, const SpanCall& call) {
    const QColor colour = colourOf(call.kind, palette_);
    to_.fillRect(rect.width() > 3 ? rect.adjusted(0, 0, -1, 0) : rect, colour);
    const auto site = scene_.run->texts.sites.find(call.place.first);
    if (rect.width() < kNarrowestText || site == scene_.run->texts.sites.end()) return;
    label(rect, QString::fromStdString(site->second.op), inkOn(colour));
  }

  void outlines(const QRectF& row, const std::vector<SpanCall>& calls) {
    to_.setBrush(Qt::NoBrush);
    const auto outline = [&](const SpanCall& call, double width) {
      const double from = scene_.view.xOf(call.start_ns);
      const double to = std::max(scene_.view.xOf(call.end_ns), from + 2.0);
      if (to < 0 || from > width_) return;
      to_.setPen(QPen(text_, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
      to_.drawRect(QRectF(std::max(from, -4.0), row.top() - 1, std::min(to, width_ + 4) - std::max(from, -4.0),
                          row.height() + 2));
    };
    for (const SpanCall& call : calls) {
      if (scene_.selected.contains(call.place)) outline(call, 1.6);
    }
    const auto& current = scene_.current;
    if (current && !calls.empty() && calls.front().thread == current->thread) outline(*current, 3.0);
  }

  QPainter& to_;
  const TimelineScene& scene_;
  const TimelineLayout& layout_;
  const QPalette& palette_;
  double width_;
  QColor text_;
  QColor base_;
};

bool covers(const TimeSpan& whole, const TimeSpan& part) {
  return whole.from_ns <= part.from_ns && part.to_ns <= whole.to_ns;
}

}  // namespace

const std::vector<SpanCall>* TimelineScene::calls(std::size_t lane) const {
  if (!picture || lane >= picture->calls.size() || !covers(picture->span, view.visible())) return nullptr;
  return &picture->calls[lane];
}

TimelineLayout::TimelineLayout(const QFontMetrics& font, const TimelineRun& run, int room)
    : row_(font.height() + 5),
      gutter_(font.horizontalAdvance("steps")),
      levels_(run.scope_levels),
      ops_(kLeastRows * row_),
      lanes_(run.overview.lanes.size()) {
  const int free = (room - height()) / std::max(static_cast<int>(lanes_), 1);
  ops_ = std::clamp(ops_ + free, kLeastRows * row_, kMostRows * row_);
  for (const LaneRow& lane : run.overview.lanes) gutter_ = std::max(gutter_, font.horizontalAdvance(nameOf(lane)));
  gutter_ += 16;
}

int TimelineLayout::laneTop(std::size_t lane) const {
  return 2 * row_ + kGap + static_cast<int>(lane) * (levels_ * row_ + ops_ + kGap);
}

QRectF TimelineLayout::scopes(std::size_t lane, int level, double width) const {
  return {0.0, double(laneTop(lane) + level * row_), width, double(row_)};
}

QRectF TimelineLayout::ops(std::size_t lane, double width) const {
  return {0.0, double(laneTop(lane) + levels_ * row_), width, double(ops_)};
}

std::optional<std::size_t> TimelineLayout::laneAt(double y) const {
  for (std::size_t lane = 0; lane < lanes_; ++lane) {
    if (y >= laneTop(lane) && y < laneTop(lane + 1)) return lane;
  }
  return std::nullopt;
}

TimelineOps opsOf(const TimelineScene& scene, std::size_t lane) {
  if (const std::vector<SpanCall>* calls = scene.calls(lane)) return {barsOf(*calls, scene.view), false};
  const LaneRow& overview = scene.lanes()[lane];
  if (scene.picture && covers(scene.picture->span, scene.view.visible())) {
    const LaneSummary& summary = scene.picture->summary;
    const auto same = std::ranges::find(summary.lanes, overview.lane, &LaneRow::lane);
    if (same == summary.lanes.end()) return {{}, true};
    return {barsOf(*same, summary.span, scene.view), true};
  }
  return {barsOf(overview, scene.run->overview.span, scene.view), true};
}

void paintTimeline(QPainter& painter, const TimelineScene& scene, const TimelineLayout& layout, const QPalette& palette,
                   bool has_focus) {
  painter.save();
  painter.translate(layout.gutter(), 0);
  Painter parts(painter, scene, layout, palette);
  painter.setPen(palette.color(QPalette::Text));
  painter.drawText(layout.steps(1).adjusted(-layout.gutter(), 0, -7, 0), Qt::AlignVCenter | Qt::AlignRight, "steps");
  for (std::size_t lane = 0; lane < scene.lanes().size(); ++lane) parts.name(lane, has_focus && lane == scene.lane);
  painter.setClipRect(QRectF(0, 0, scene.view.width(), layout.height()));
  parts.measured();
  parts.axis();
  parts.steps();
  for (std::size_t lane = 0; lane < scene.lanes().size(); ++lane) {
    parts.scopes(lane);
    parts.ops(lane);
  }
  parts.edgesOfMeasured();
  painter.restore();
}

}  // namespace ampprof::gui
