// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/plots/impact_plot.h"

#include <qcustomplot.h>

#include <QAccessible>
#include <QHelpEvent>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/plots/plot.h"

namespace ampprof::gui {
namespace {

enum ImpactCategory { FreeDots = 0, MarkedDots = 1, RingCategory = 2 };

constexpr double kDot = 8.0;    // diameter of a dot, in pixels
constexpr double kRing = 16.0;  // diameter of the ring, in pixels
constexpr double kFrame = 20.0;
constexpr double kNear = 8.0;   // distance from a dot in pixels within which a click selects it
constexpr double kRoom = 0.06;  // free space beyond the outermost dots, as a fraction of an axis

template <class IsWanted>
std::vector<ImpactDot> thoseWho(const std::vector<ImpactDot>& dots, const IsWanted& is_wanted) {
  std::vector<ImpactDot> found;
  std::ranges::copy_if(dots, std::back_inserter(found), is_wanted);
  return found;
}

QCPGraph* addDots(QCustomPlot* plot, int category, const QString& name, const QCPScatterStyle& style,
                  const std::vector<ImpactDot>& dots) {
  QCPGraph* graph = addLine(plot, category, name);
  graph->setLineStyle(QCPGraph::lsNone);
  graph->setScatterStyle(style);
  for (const ImpactDot& dot : dots) graph->addData(dot.us, dot.change);
  return graph;
}

void leaveRoom(QCPAxis* axis) {
  const QCPRange range = axis->range();
  const double factor = std::max(1.2, std::pow(range.upper / range.lower, kRoom));
  axis->setRange(range.lower / factor, range.upper * factor);
}

}  // namespace

ImpactPlot::ImpactPlot(QWidget* parent) : QWidget(parent), plot_(makePlot("Loss impact against time", this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins({});
  layout->addWidget(plot_);
  plot_->yAxis->setLabel("loss impact per step");
  for (QCPAxis* axis : {plot_->xAxis, plot_->yAxis}) useLogarithm(axis);
  plot_->axisRect()->setRangeDrag(Qt::Horizontal | Qt::Vertical);
  plot_->axisRect()->setRangeZoom(Qt::Horizontal | Qt::Vertical);
  showLegendAbove(plot_);
  plot_->installEventFilter(this);
  plot_->setFocusPolicy(Qt::StrongFocus);
}

void ImpactPlot::draw(std::vector<ImpactDot> dots, const QString& of) {
  const auto isSameSite = [](const ImpactDot& a, const ImpactDot& b) { return a.call_site == b.call_site; };
  const bool is_same = !dots_.empty() && std::ranges::equal(dots, dots_, isSameSite);
  dots_ = std::move(dots);
  plot_->clearPlottables();
  plot_->xAxis->setLabel("µs per step on " + of);
  using enum ImpactDot::Kind;
  addDots(plot_, kFaintCategory, "cannot be marked", {QCPScatterStyle::ssCross, kDot},
          thoseWho(dots_, [](const ImpactDot& dot) { return dot.kind == Fixed; }));
  addDots(plot_, kFaintCategory, "noise", {QCPScatterStyle::ssCircle, kDot},
          thoseWho(dots_, [](const ImpactDot& dot) { return dot.kind == Free && dot.is_noise; }));
  addDots(plot_, FreeDots, "in reduced precision", {QCPScatterStyle::ssCircle, kDot},
          thoseWho(dots_, [](const ImpactDot& dot) { return dot.kind == Free && !dot.is_noise; }));
  addDots(plot_, MarkedDots, "marked as FP32", {QCPScatterStyle::ssDisc, kDot},
          thoseWho(dots_, [](const ImpactDot& dot) { return dot.kind == Marked; }));
  if (!is_same) {
    plot_->rescaleAxes();
    for (QCPAxis* axis : {plot_->xAxis, plot_->yAxis}) leaveRoom(axis);
  }
  ring_ = addDots(plot_, RingCategory, "selected", {QCPScatterStyle::ssCircle, kRing}, {});
  ring_->removeFromLegend();
  frame_ = addDots(plot_, RingCategory, "keyboard focus", {QCPScatterStyle::ssSquare, kFrame}, {});
  frame_->removeFromLegend();
  if (dotOf(framed_) == nullptr) framed_.clear();
  showFrame();
  select(selected_);
}

void ImpactPlot::select(const QString& call_site) {
  selected_ = call_site;
  if (ring_ == nullptr) return;
  ring_->data()->clear();
  if (const ImpactDot* dot = dotOf(call_site)) ring_->addData(dot->us, dot->change);
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

QPointF ImpactPlot::pixelOf(const ImpactDot& dot) const {
  return {plot_->xAxis->coordToPixel(dot.us), plot_->yAxis->coordToPixel(dot.change)};
}

std::optional<QPoint> ImpactPlot::placeOf(const QString& call_site) const {
  const ImpactDot* dot = dotOf(call_site);
  return dot ? std::optional(pixelOf(*dot).toPoint()) : std::nullopt;
}

const ImpactDot* ImpactPlot::dotAt(const QPoint& place) const {
  const auto distance = [&](const ImpactDot& dot) { return QLineF(pixelOf(dot), place).length(); };
  const auto nearest = std::ranges::min_element(dots_, {}, distance);
  return nearest == dots_.end() || distance(*nearest) > kNear ? nullptr : &*nearest;
}

const ImpactDot* ImpactPlot::dotOf(const QString& call_site) const {
  const auto found = std::ranges::find(dots_, call_site, &ImpactDot::call_site);
  return found == dots_.end() ? nullptr : &*found;
}

bool ImpactPlot::takeKey(int key) {
  switch (key) {
    case Qt::Key_Left:
    case Qt::Key_Right:
      moveFrame(&ImpactDot::us, key == Qt::Key_Right);
      return true;
    case Qt::Key_Down:
    case Qt::Key_Up:
      moveFrame(&ImpactDot::change, key == Qt::Key_Up);
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (dotOf(framed_)) emit siteChosen(framed_);
      return true;
    default:
      return false;
  }
}

void ImpactPlot::moveFrame(double ImpactDot::*figure, bool is_upward) {
  if (dots_.empty()) return;
  const ImpactDot* from = dotOf(framed_);
  if (from == nullptr) {
    framed_ = dotOf(selected_) ? selected_ : dots_.front().call_site;
    return showFrame();
  }
  std::vector<const ImpactDot*> order;
  for (const ImpactDot& dot : dots_) order.push_back(&dot);
  std::ranges::stable_sort(order, {}, [&](const ImpactDot* dot) { return dot->*figure; });
  const auto place = std::ranges::find(order, from) - order.begin();
  const auto wanted = std::clamp<std::ptrdiff_t>(place + (is_upward ? 1 : -1), 0, std::ssize(order) - 1);
  framed_ = order[static_cast<std::size_t>(wanted)]->call_site;
  showFrame();
}

void ImpactPlot::showFrame() {
  frame_->data()->clear();
  const ImpactDot* dot = dotOf(framed_);
  if (dot != nullptr) {
    frame_->addData(dot->us, dot->change);
    plot_->setAccessibleDescription(QString(dot->tip).replace('\n', ", "));
    QAccessibleEvent changed(plot_, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
    if (plot_->hasFocus()) QToolTip::showText(plot_->mapToGlobal(pixelOf(*dot).toPoint()), dot->tip, plot_);
  }
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

bool ImpactPlot::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const ImpactDot* dot = dotAt(help->pos());
    QToolTip::showText(help->globalPos(), dot ? dot->tip : QString(), plot_);
    return true;
  }
  if (event->type() == QEvent::KeyPress && takeKey(static_cast<QKeyEvent*>(event)->key())) return true;
  if (event->type() == QEvent::MouseButtonPress) {
    const auto* press = static_cast<QMouseEvent*>(event);
    const ImpactDot* dot = press->button() == Qt::LeftButton ? dotAt(press->pos()) : nullptr;
    if (dot) emit siteChosen(QString(dot->call_site));
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace ampprof::gui
