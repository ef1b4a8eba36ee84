// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/decide/impact_bar.h"

#include <QPainter>
#include <algorithm>
#include <iterator>

#include "gui/delegates/parts_delegate.h"
#include "gui/pages/shared/text.h"

namespace ampprof::gui {
namespace {

constexpr double kLegendGap = 6.0;  // space between parts of the legend, in pixels
constexpr double kLeastInLegend = 0.005;
constexpr double kImpactBarShare = 0.35;
constexpr double kLeastImpactBar = 80.0;

QString legendOf(const views::RoundedPart& part) { return text(views::text_of(part)); }

}  // namespace

ImpactBar::ImpactBar(QWidget* parent) : QWidget(parent) {
  setAccessibleName("What was rounded");
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ImpactBar::showImpact(double size, const ImpactDetails& impact) {
  size_ = size;
  impact_ = impact;
  QStringList parts;
  for (const views::RoundedPart& part : impact_.parts) parts << legendOf(part);
  setAccessibleDescription(parts.join(", "));
  updateGeometry();
  update();
}

QSize ImpactBar::minimumSizeHint() const { return {static_cast<int>(3 * kLeastImpactBar), fontMetrics().height() + 4}; }

QSize ImpactBar::sizeHint() const { return minimumSizeHint(); }

void ImpactBar::paintEvent(QPaintEvent*) {
  if (impact_.parts.empty() || !(size_ > 0.0)) return;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const double room = std::max(kLeastImpactBar, width() * kImpactBarShare);
  const double most = impact_.interval ? impact_.interval->high : size_;
  const auto x = [&](double value) { return 0.5 + (room - 1) * std::clamp(value / most, 0.0, 1.0); };
  std::vector<double> shares;
  for (const views::RoundedPart& part : impact_.parts) shares.push_back(part.share);
  const double third = height() / 3.0;
  paintParts(painter, QRectF(0.5, third / 2, x(size_) - 0.5, height() - third), shares, palette());
  paintLegend(painter, QRectF(room + 2 * kLegendGap, 0, width() - room - 2 * kLegendGap, height()));
  if (!impact_.interval) return;
  paintWhisker(painter, x(impact_.interval->low), x(impact_.interval->high));
}

void ImpactBar::paintWhisker(QPainter& painter, double low, double high) const {
  const double middle = height() / 2.0;
  const double cap = height() / 3.0;
  const QLineF lines[] = {
      {low, middle, high, middle}, {low, middle - cap, low, middle + cap}, {high, middle - cap, high, middle + cap}};
  // Paints a halo in the background colour first: shades below the whisker may be as light or dark as the whisker.
  for (const QPen& pen :
       {QPen(palette().color(QPalette::Window), 4), QPen(palette().color(QPalette::WindowText), 1.5)}) {
    painter.setPen(pen);
    painter.drawLines(lines, std::size(lines));
  }
}

void ImpactBar::paintLegend(QPainter& painter, QRectF place) const {
  const double side = fontMetrics().ascent() * 0.8;
  for (std::size_t part = 0; part < impact_.parts.size(); ++part) {
    if (impact_.parts[part].share < kLeastInLegend) continue;  // too small to be visible in the bar
    const QString said = legendOf(impact_.parts[part]);
    const QRectF box(place.left(), place.center().y() - side / 2, side, side);
    paintParts(painter, box, {}, palette());
    painter.fillRect(box.adjusted(1, 1, -1, -1), partShade(part));
    painter.setPen(palette().color(QPalette::WindowText));
    const double width = fontMetrics().horizontalAdvance(said);
    painter.drawText(QRectF(box.right() + kLegendGap, place.top(), width + 1, place.height()), Qt::AlignVCenter, said);
    place.setLeft(box.right() + kLegendGap + width + 2 * kLegendGap);
  }
}

}  // namespace ampprof::gui
