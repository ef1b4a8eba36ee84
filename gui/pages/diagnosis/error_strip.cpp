// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/diagnosis/error_strip.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/delegates/heat_delegate.h"
#include "gui/delegates/tone_delegate.h"
#include "gui/look/look.h"
#include "gui/models/plain_tip.h"
#include "gui/pages/shared/text.h"
#include "reports/text/numbers.h"

namespace ampprof::gui {
namespace {

constexpr int kNarrowestCell = 3;  // minimum width of a cell, in pixels
constexpr int kRowGap = 2;
constexpr int kScaleWidth = 80;
// Pixels added to a text's width, which is fractional, to fit it into an integer rectangle.
constexpr int kSlack = 2;
constexpr double kWidestNames = 0.35;  // maximum width of call site names, as a fraction of the widget's width
constexpr const char* kNoErrors =
    "No local error was measured: the ops compute in FP32, or the run had no reference. Measure errors with ampprof "
    "run --reference fp32.";

/// Returns 10^decade: "0.1", "1000", "1e6".
QString decadeText(int decade) {
  const bool is_short = decade >= -2 && decade <= 4;
  return is_short ? QString::number(std::pow(10.0, decade)) : QString("1e%1").arg(decade);
}

}  // namespace

ErrorStrip::ErrorStrip(QWidget* parent) : QWidget(parent) {
  setAccessibleName("Errors of the worst call sites over the steps");
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  say("Reading …");
}

void ErrorStrip::showSites(WorstSites worst) {
  if (worst.sites.empty()) return say(kNoErrors);
  worst_ = std::move(worst);
  sentence_.clear();
  current_ = {};
  layOut();
  if (grid_.columns() == 0) return say(kNoErrors);  // all errors are of calls outside steps
  describe();
  updateGeometry();
}

void ErrorStrip::say(const QString& sentence) {
  worst_ = {};
  grid_ = {};
  sentence_ = sentence;
  setAccessibleDescription(sentence);
  updateGeometry();
  update();
}

QSize ErrorStrip::minimumSizeHint() const {
  const int line = fontMetrics().height();
  const int rows = static_cast<int>(worst_.sites.size());
  return {40 * fontMetrics().averageCharWidth(), 2 * (line + kRowGap) + std::max(1, rows) * (line + kRowGap)};
}

QSize ErrorStrip::sizeHint() const { return minimumSizeHint(); }

QRect ErrorStrip::area() const {
  const int left = std::min(widest_name_, static_cast<int>(width() * kWidestNames)) + Space::kGap;
  const int line = fontMetrics().height() + kRowGap;
  return {left, line, std::max(1, width() - left), static_cast<int>(worst_.sites.size()) * line};
}

void ErrorStrip::layOut() {
  widest_name_ = 0;
  for (const SiteErrors& site : worst_.sites)
    widest_name_ = std::max(widest_name_, fontMetrics().horizontalAdvance(text(site.call_site)) + kSlack);
  const auto measure = worst_.judges_recipe ? ErrorGrid::Measure::Relative : ErrorGrid::Measure::Ulp;
  grid_ = ErrorGrid(worst_.sites, area().width() / kNarrowestCell, measure);
  current_.column = std::clamp(current_.column, 0, std::max(0, grid_.columns() - 1));
  update();
}

void ErrorStrip::resizeEvent(QResizeEvent*) {
  if (!worst_.sites.empty()) layOut();
}

QRect ErrorStrip::rectOf(const Place& place) const {
  const QRect all = area();
  const int line = all.height() / grid_.rows();
  const auto x = [&](int column) { return all.left() + all.width() * column / grid_.columns(); };
  return {x(place.column), all.top() + place.row * line, x(place.column + 1) - x(place.column), line - kRowGap};
}

std::optional<ErrorStrip::Place> ErrorStrip::placeAt(const QPoint& point) const {
  const QRect all = area();
  if (grid_.columns() == 0 || point.y() < all.top() || point.y() > all.bottom()) return std::nullopt;
  const int row = (point.y() - all.top()) * grid_.rows() / all.height();
  const int column = (point.x() - all.left()) * grid_.columns() / all.width();
  return Place{row, std::clamp(column, 0, grid_.columns() - 1)};  // a point in a name maps to the first column
}

QString ErrorStrip::textOf(const Place& place) const {
  const ErrorGrid::Cell& cell = grid_.cell(place.row, place.column);
  const queries::StepSpan& steps = grid_.steps(place.column);
  QStringList lines{text(worst_.sites[static_cast<std::size_t>(place.row)].call_site), stepsText(steps)};
  if (cell.isEmpty()) lines << "no error was measured";
  if (!cell.is_finite) lines << QString("first NaN or inf in step %1").arg(cell.step);
  if (cell.size) {
    QString error = "local error " + text(text::scientific(cell.relative));
    if (grid_.measure() == ErrorGrid::Measure::Ulp) error += ", on average " + text(text::number(cell.ulp)) + " ulp";
    const bool is_one_of_several = cell.is_finite && steps.first != steps.last;
    lines << error + (is_one_of_several ? QString(", the largest, in step %1").arg(cell.step) : QString());
  }
  return lines.join('\n');
}

void ErrorStrip::describe() {
  if (grid_.columns() == 0) return;
  setAccessibleDescription(textOf(current_).replace('\n', ", "));
  QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
  QAccessible::updateAccessibility(&changed);
}

void ErrorStrip::moveTo(Place place) {
  current_ = {std::clamp(place.row, 0, grid_.rows() - 1), std::clamp(place.column, 0, grid_.columns() - 1)};
  describe();
  QToolTip::showText(mapToGlobal(rectOf(current_).bottomRight()), plainTip(textOf(current_)), this);
  update();
}

void ErrorStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setPen(palette().color(QPalette::WindowText));
  if (!sentence_.isEmpty()) {
    painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, sentence_);
    return;
  }
  if (grid_.columns() == 0) return;
  paintHeading(painter, paintLegend(painter));
  for (int row = 0; row < grid_.rows(); ++row) paintRow(painter, row);
  const QRect all = area();
  const QRect below(all.left(), all.bottom() + 1, all.width(), fontMetrics().height());
  painter.setPen(palette().color(QPalette::PlaceholderText));
  painter.drawText(below, Qt::AlignLeft, QString("step %1").arg(grid_.steps(0).first));
  if (grid_.columns() > 1)
    painter.drawText(below, Qt::AlignRight, QString("step %1").arg(grid_.steps(grid_.columns() - 1).last));
  if (!hasFocus()) return;
  painter.setPen(QPen(palette().color(QPalette::WindowText), 2));
  painter.drawRect(rectOf(current_).adjusted(-1, -1, 0, 0));
}

void ErrorStrip::paintHeading(QPainter& painter, int room) const {
  const QString heading = QString("Worst call sites of %1 over the steps").arg(text(worst_.run));
  painter.save();
  painter.setPen(palette().color(QPalette::WindowText));
  painter.setFont(scaled(font(), TextSize::Heading));
  painter.drawText(QRect(0, 0, room, fontMetrics().height()), Qt::AlignLeft,
                   painter.fontMetrics().elidedText(heading, Qt::ElideRight, room));
  painter.restore();
}

int ErrorStrip::paintLegend(QPainter& painter) const {
  const int line = fontMetrics().height();
  int right = width();
  const auto word = [&](const QString& said) {
    const int wide = fontMetrics().horizontalAdvance(said);
    painter.drawText(QRect(right - wide, 0, wide, line), Qt::AlignLeft, said);
    right -= wide + Space::kGap;
  };
  painter.setPen(palette().color(QPalette::PlaceholderText));
  word("NaN or inf");
  painter.fillRect(QRect(right - line, kRowGap, line, line - 2 * kRowGap), *colour_of(text::Tone::Bad, palette()));
  right -= line + 2 * Space::kSection;
  word(decadeText(grid_.highestDecade()) + (grid_.measure() == ErrorGrid::Measure::Ulp ? " ulp" : ""));
  for (int x = 0; x < kScaleWidth; ++x) {
    const QColor colour = cividis(static_cast<double>(kScaleWidth - x) / kScaleWidth);
    painter.fillRect(QRect(right - x, kRowGap, 1, line - 2 * kRowGap), colour);
  }
  right -= kScaleWidth + Space::kGap;
  word(decadeText(grid_.lowestDecade()));
  return right;
}

void ErrorStrip::paintRow(QPainter& painter, int row) const {
  const QRect first = rectOf({row, 0});
  const QString name = text(worst_.sites[static_cast<std::size_t>(row)].call_site);
  const int room = area().left() - Space::kGap;
  painter.setPen(palette().color(QPalette::WindowText));
  painter.drawText(QRect(0, first.top(), room, first.height()), Qt::AlignLeft | Qt::AlignVCenter,
                   fontMetrics().elidedText(name, Qt::ElideMiddle, room));
  painter.fillRect(QRect(first.left(), first.top(), area().width(), first.height()), palette().base());
  for (int column = 0; column < grid_.columns(); ++column) paintCell(painter, {row, column});
}

void ErrorStrip::paintCell(QPainter& painter, const Place& place) const {
  const ErrorGrid::Cell& cell = grid_.cell(place.row, place.column);
  if (cell.isEmpty()) return;
  const QRect room = rectOf(place);
  if (cell.is_finite) return painter.fillRect(room, cividis(grid_.heat(*cell.size)));
  painter.fillRect(room, *colour_of(text::Tone::Bad, palette()));
  // Hatched, so that it is distinguishable without colour.
  painter.fillRect(room, QBrush(palette().color(QPalette::Base), Qt::BDiagPattern));
}

bool ErrorStrip::event(QEvent* event) {
  if (event->type() == QEvent::FontChange && !worst_.sites.empty()) layOut();
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto place = placeAt(help->pos());
  QToolTip::showText(help->globalPos(), place ? plainTip(textOf(*place)) : QString(), this);
  return true;
}

void ErrorStrip::mousePressEvent(QMouseEvent* event) {
  const auto place = event->button() == Qt::LeftButton ? placeAt(event->pos()) : std::nullopt;
  if (!place) return QWidget::mousePressEvent(event);
  current_ = *place;
  describe();
  emit siteChosen(text(worst_.sites[static_cast<std::size_t>(place->row)].call_site));
}

void ErrorStrip::keyPressEvent(QKeyEvent* event) {
  if (grid_.columns() == 0) return QWidget::keyPressEvent(event);
  const auto [row, column] = current_;
  switch (event->key()) {
    case Qt::Key_Up:
      return moveTo({row - 1, column});
    case Qt::Key_Down:
      return moveTo({row + 1, column});
    case Qt::Key_Left:
      return moveTo({row, column - 1});
    case Qt::Key_Right:
      return moveTo({row, column + 1});
    case Qt::Key_Home:
      return moveTo({row, 0});
    case Qt::Key_End:
      return moveTo({row, grid_.columns() - 1});
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
      emit siteChosen(text(worst_.sites[static_cast<std::size_t>(row)].call_site));
      return;
    default:
      QWidget::keyPressEvent(event);
  }
}

void ErrorStrip::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  update();
}

}  // namespace ampprof::gui
