// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/time/timeline_canvas.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/models/timeline_text.h"
#include "gui/pages/time/timeline_painter.h"

namespace ampprof::gui {
namespace {

constexpr double kZoomOfKey = 1.5;
constexpr double kZoomOfWheel = 1.25;    // factor per notch of the wheel
constexpr double kNotch = 120.0;         // QWheelEvent::angleDelta() for one notch
constexpr double kPanOfKey = 0.15;       // distance that a key pans, as a fraction of the width
constexpr double kMarginOfSteps = 0.02;  // margin of the recorded steps on each side, as a fraction of their span
constexpr double kMarginOfCurrent = 40;  // minimum distance of the current call from the edges, in pixels

/// Escapes untrusted text from a report, since tool tips interpret rich text.
QString plain(const QString& text) {
  return "<p style='white-space:pre'>" + text.toHtmlEscaped().replace('\n', "<br>") + "</p>";
}

const Segment* segmentAt(const std::vector<Segment>& segments, std::int64_t ns) {
  for (const Segment& segment : segments) {
    if (segment.start_ns <= ns && ns <= segment.end_ns) return &segment;
  }
  return nullptr;
}

}  // namespace

TimelineCanvas::TimelineCanvas(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAccessibleName("Timeline");
  setAccessibleDescription(
      "W and S zoom, A and D pan, Left and Right go to the next call or kernel, Up and Down to another thread or "
      "stream, M measures what is visible, Enter filters other pages by the measured steps, F focuses on what is "
      "selected, Home shows the whole run.");
}

int TimelineCanvas::gutter() const { return scene_.run ? layout().gutter() : 0; }

double TimelineCanvas::middleOf(std::size_t track) const { return layout().items(track, 1).center().y(); }

void TimelineCanvas::showRun(std::shared_ptr<const TimelineRun> run) {
  scene_ = {.run = std::move(run), .picture = nullptr, .view = {}, .selected = {}, .current = {}, .measured = {}};
  scene_.view = TimelineView(scene_.run->whole);
  if (const auto steps = spanOfSteps(scene_.run->segments)) scene_.view.focus(*steps, kMarginOfSteps);
  scene_.view.setWidth(width() - gutter());
  setMinimumHeight(TimelineLayout(fontMetrics(), *scene_.run).height());
  changed();
}

void TimelineCanvas::showPicture(std::shared_ptr<const TimelinePicture> picture) {
  scene_.picture = std::move(picture);
  update();
}

void TimelineCanvas::select(std::set<SiteInStep> places) {
  scene_.selected = std::move(places);
  if (scene_.current && !scene_.selected.contains(scene_.current->place)) scene_.current.reset();
  update();
}

void TimelineCanvas::focus(const TimeSpan& span) {
  scene_.view.focus(span);
  changed();
}

void TimelineCanvas::setCurrent(const TimelineItem& item) {
  scene_.current = item;
  update();
}

void TimelineCanvas::clearMeasured() {
  if (!std::exchange(scene_.measured, std::nullopt)) return;
  update();
  emit measureCleared();
}

void TimelineCanvas::changed() {
  update();
  emit viewChanged();
}

void TimelineCanvas::zoom(double factor, double x) {
  scene_.view.zoom(factor, x);
  changed();
}

void TimelineCanvas::pan(double pixels) {
  scene_.view.pan(pixels);
  changed();
}

/// Returns the x around which a key zooms: the mouse position, else the current call, else the middle.
double TimelineCanvas::zoomPlace() const {
  const double width = scene_.view.width();
  const double mouse = xOf(mapFromGlobal(QCursor::pos()));
  if (underMouse() && mouse >= 0 && mouse <= width) return mouse;
  if (scene_.current) {
    const double middle = (scene_.view.xOf(scene_.current->start_ns) + scene_.view.xOf(scene_.current->end_ns)) / 2;
    if (middle >= 0 && middle <= width) return middle;
  }
  return width / 2;
}

void TimelineCanvas::measure(const TimeSpan& span) {
  scene_.measured = span;
  update();
  emit measured(span);
}

void TimelineCanvas::choose(const TimelineItem& item) {
  clearMeasured();
  scene_.selected.clear();
  if (item.place.first != 0) scene_.selected.insert(item.place);
  setCurrent(item);
  emit chosen(item);
}

void TimelineCanvas::chooseAt(const QPointF& place) {
  clearMeasured();
  const auto track = layout().trackAt(place.y());
  if (!track) return;
  scene_.track = *track;
  const TimelineBars bars = barsOf(scene_, *track);
  const TimelineBar* bar = barAt(bars.bars, xOf(place));
  if (bar == nullptr) return;
  if (!bars.is_summary && !bar->isMerged()) return choose(TimelineItem(scene_.items(*track)->at(bar->first)));
  const bool is_thread = scene_.tracks()[*track].kind == queries::TrackKind::Threads;
  emit noted(QString("Several %1 are drawn as one here. Zoom in with W to choose one.")
                 .arg(is_thread ? "op calls" : "kernels, memcpys or memsets"));
}

void TimelineCanvas::stepToItem(int by) {
  const std::vector<TimelineItem>* items = scene_.tracks().empty() ? nullptr : scene_.items(scene_.track);
  if (items == nullptr || items->empty())
    return emit noted("Zoom in with W to go from one call or kernel to the next.");
  const TimeSpan visible = scene_.view.visible();
  const bool goes_on = scene_.current && scene_.current->track == scene_.track &&
                       scene_.current->end_ns >= visible.from_ns && scene_.current->start_ns <= visible.to_ns;
  const std::int64_t from = goes_on ? scene_.current->start_ns : by > 0 ? visible.from_ns : visible.to_ns;
  auto next = std::ranges::lower_bound(*items, from, {}, &TimelineItem::start_ns);
  if (by > 0 && goes_on) next = std::ranges::upper_bound(*items, from, {}, &TimelineItem::start_ns);
  if (by < 0 && next != items->begin()) --next;
  if (next == items->end()) return;
  const TimelineItem item = *next;  // a copy: pan() may replace the picture
  const double from_x = scene_.view.xOf(item.start_ns);
  const double to_x = scene_.view.xOf(item.end_ns);
  if (from_x < 0) pan(from_x - kMarginOfCurrent);
  if (to_x > scene_.view.width()) pan(std::min(to_x - scene_.view.width() + kMarginOfCurrent, from_x));
  choose(item);
}

void TimelineCanvas::stepToTrack(int by) {
  const auto last = static_cast<int>(scene_.tracks().size()) - 1;
  scene_.track = static_cast<std::size_t>(std::clamp(static_cast<int>(scene_.track) + by, 0, std::max(last, 0)));
  update();
}

QString TimelineCanvas::textAt(const QPointF& place) const {
  if (xOf(place) < 0) return {};
  const auto track = layout().trackAt(place.y());
  if (!track) {
    const Segment* segment = segmentAt(scene_.run->segments, scene_.view.timeAt(xOf(place)));
    return segment == nullptr ? QString() : textOf(*segment);
  }
  const TimelineBars bars = barsOf(scene_, *track);
  const TimelineBar* bar = barAt(bars.bars, xOf(place));
  if (bar == nullptr) return {};
  if (!bars.is_summary && !bar->isMerged()) return textOf(scene_.items(*track)->at(bar->first), *scene_.run);
  return textOf(*bar, scene_.tracks()[*track].kind, bars.is_summary);
}

bool TimelineCanvas::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip || !scene_.run) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const QString text = textAt(help->pos());
  text.isEmpty() ? QToolTip::hideText() : QToolTip::showText(help->globalPos(), plain(text), this);
  return true;
}

void TimelineCanvas::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), palette().base());
  if (scene_.run) paintTimeline(painter, scene_, layout(), palette(), hasFocus());
}

void TimelineCanvas::resizeEvent(QResizeEvent*) {
  if (!scene_.run) return;
  scene_.view.setWidth(width() - gutter());
  changed();
}

void TimelineCanvas::keyPressEvent(QKeyEvent* event) {
  if (!scene_.run || (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier))) {
    return QWidget::keyPressEvent(event);
  }
  const double stride = scene_.view.width() * kPanOfKey;
  switch (event->key()) {
    case Qt::Key_W:
      return zoom(kZoomOfKey, zoomPlace());
    case Qt::Key_S:
      return zoom(1 / kZoomOfKey, zoomPlace());
    case Qt::Key_A:
      return pan(-stride);
    case Qt::Key_D:
      return pan(stride);
    case Qt::Key_F:
      return emit focusWanted();
    case Qt::Key_M:
      return measure(scene_.view.visible());
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (scene_.measured) emit measuredTaken();
      return;
    case Qt::Key_Home:
      scene_.view.showWhole();
      return changed();
    case Qt::Key_Left:
      return stepToItem(-1);
    case Qt::Key_Right:
      return stepToItem(1);
    case Qt::Key_Up:
      return stepToTrack(-1);
    case Qt::Key_Down:
      return stepToTrack(1);
    default:
      QWidget::keyPressEvent(event);
  }
}

void TimelineCanvas::wheelEvent(QWheelEvent* event) {
  if (!scene_.run) return;
  const QPoint angle = event->angleDelta();
  const bool pans = std::abs(angle.x()) > std::abs(angle.y()) || (event->modifiers() & Qt::ShiftModifier);
  if (pans) {
    pan(-(angle.x() != 0 ? angle.x() : angle.y()));
  } else if (angle.y() != 0) {
    zoom(std::pow(kZoomOfWheel, angle.y() / kNotch), xOf(event->position()));
  }
  event->accept();
}

void TimelineCanvas::mousePressEvent(QMouseEvent* event) {
  if (!scene_.run || event->button() != Qt::LeftButton) return;
  pressed_x_ = xOf(event->position());
  is_dragging_ = false;
}

void TimelineCanvas::mouseMoveEvent(QMouseEvent* event) {
  if (!pressed_x_) return;
  const double x = xOf(event->position());
  is_dragging_ = is_dragging_ || std::abs(x - *pressed_x_) >= QApplication::startDragDistance();
  if (!is_dragging_) return;
  const auto [from, to] = std::minmax(*pressed_x_, x);
  scene_.measured = {scene_.view.timeAt(from), scene_.view.timeAt(to)};
  update();
}

void TimelineCanvas::mouseReleaseEvent(QMouseEvent* event) {
  if (!pressed_x_ || event->button() != Qt::LeftButton) return;
  pressed_x_.reset();
  if (is_dragging_) {
    measure(*scene_.measured);
  } else {
    chooseAt(event->position());
  }
}

}  // namespace ampprof::gui
