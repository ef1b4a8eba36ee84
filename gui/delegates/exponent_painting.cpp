// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/delegates/exponent_painting.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "gui/delegates/heat_delegate.h"

namespace ampprof::gui {
namespace {

constexpr int kTextMargin = 2;
constexpr int kTick = 4;
// Colour of the smallest share, as a position in cividis: bright enough to see a single value.
constexpr double kFaintest = 0.12;

// Okabe and Ito's colours, in the order of kFormats.
constexpr std::array<QRgb, kFormats.size()> kColours{0xFF56B4E9, 0xFFE69F00, 0xFF009E73, 0xFFCC79A7};

struct Mark {
  double power;
  const char* text;
};

// In descending priority: a mark that would overlap an earlier one is not drawn.
const std::array kMarks{Mark{-24, "2⁻²⁴"}, Mark{-14, "2⁻¹⁴"}, Mark{0, "1"},      Mark{std::log2(65504.0), "65504"},
                        Mark{-40, "2⁻⁴⁰"}, Mark{24, "2²⁴"},   Mark{-32, "2⁻³²"}, Mark{8, "2⁸"}};

int round(double x) { return static_cast<int>(std::lround(x)); }

QColor colourOfHeat(double heat) { return cividis(kFaintest + (1 - kFaintest) * heat); }

void paintMarks(QPainter& painter, const QRect& rect, const ExponentAxis& axis) {
  std::array<QRect, kMarks.size()> taken;
  const QFontMetrics metrics = painter.fontMetrics();
  for (std::size_t i = 0; i < kMarks.size(); ++i) {
    const QString text = QString::fromUtf8(kMarks[i].text);
    const int x = round(axis.x(kMarks[i].power));
    const int width = metrics.horizontalAdvance(text) + 2 * kTextMargin;
    QRect label(x - width / 2, rect.top(), width, metrics.height());
    label.moveLeft(std::clamp(label.left(), rect.left(), std::max(rect.left(), rect.right() - width)));
    if (std::ranges::any_of(taken, [&](const QRect& other) { return other.intersects(label); })) continue;
    taken[i] = label;
    painter.drawText(label, Qt::AlignCenter, text);
    painter.drawLine(x, label.bottom(), x, label.bottom() + kTick);
  }
}

void paintBracket(QPainter& painter, const QRect& rect, const ExponentAxis& axis, std::size_t format,
                  const QColor& text) {
  const auto [normal, subnormal, is_cut_left, is_cut_right] = axis.window(kFormats[format]);
  const int y = rect.center().y();
  const auto line = [&](double from, double to, Qt::PenStyle style) {
    painter.setPen(QPen(colourOf(format), 3, style, Qt::FlatCap));
    painter.drawLine(round(from), y, round(to), y);
  };
  line(normal.left, normal.right, Qt::SolidLine);
  line(subnormal.left, subnormal.right, Qt::DotLine);
  painter.setPen(QPen(colourOf(format), 1));
  if (!is_cut_left) painter.drawLine(round(subnormal.left), y, round(subnormal.left), rect.bottom());
  if (!is_cut_right) painter.drawLine(round(normal.right), y, round(normal.right), rect.bottom());

  const QString name = QString::fromUtf8(kFormats[format].name);
  const int width = painter.fontMetrics().horizontalAdvance(name) + 4 * kTextMargin;
  const QRect label(round(normal.left + normal.width() / 2) - width / 2, rect.top(), width, rect.height());
  painter.fillRect(label, painter.background());
  painter.setPen(text);
  painter.drawText(label, Qt::AlignCenter, name);
}

}  // namespace

QColor colourOf(std::size_t format) { return QColor::fromRgb(kColours.at(format)); }

QColor emptyHeatColour() { return {0, 14, 38}; }

int axisHeight(const QFontMetrics& metrics, Formats formats) {
  return metrics.height() * (1 + static_cast<int>(formats.count())) + kTick + 2 * kTextMargin;
}

void paintAxis(QPainter& painter, const QRect& rect, const ExponentAxis& axis, Formats formats,
               const QPalette& palette) {
  painter.save();
  const QColor text = palette.color(QPalette::ButtonText);
  painter.setBackground(palette.button());
  painter.setPen(text);
  const int line = painter.fontMetrics().height();
  QRect row(rect.left(), rect.bottom() - line - kTick, rect.width(), line);
  paintMarks(painter, row, axis);
  for (std::size_t format = kFormats.size(); format-- > 0;) {
    if (!formats[format]) continue;
    row.translate(0, -line);
    paintBracket(painter, row, axis, format, text);
  }
  painter.restore();
}

void paintLimits(QPainter& painter, const QRect& rect, const ExponentAxis& axis, Formats formats) {
  painter.save();
  for (std::size_t format = 0; format < kFormats.size(); ++format) {
    if (!formats[format]) continue;
    const auto [normal, subnormal, is_cut_left, is_cut_right] = axis.window(kFormats[format]);
    const auto line = [&](double x, Qt::PenStyle style) {
      QPen pen(colourOf(format), 1, style);
      pen.setDashOffset(rect.top());  // aligns the dashes of adjacent rows
      painter.setPen(pen);
      painter.drawLine(round(x), rect.top(), round(x), rect.bottom());
    };
    if (!is_cut_left) line(subnormal.left, Qt::DashLine);
    if (normal.left > axis.x(-1e9)) line(normal.left, Qt::SolidLine);
    if (!is_cut_right) line(normal.right, Qt::SolidLine);
  }
  painter.restore();
}

QPixmap heatScale(const QSize& size) {
  QPixmap scale(size);
  QPainter painter(&scale);
  for (int x = 0; x < size.width(); ++x) {
    painter.fillRect(x, 0, 1, size.height(), colourOfHeat(static_cast<double>(x) / size.width()));
  }
  return scale;
}

void paintHeat(QPainter& painter, const QRect& rect, const ExponentAxis& axis, const ExponentAxis::Shares& shares) {
  const QRect whole(QPoint(round(axis.cell(0).left), rect.top()),
                    QPoint(round(axis.cell(ExponentAxis::kCells - 1).right) - 1, rect.bottom()));
  painter.fillRect(whole, emptyHeatColour());
  for (int place = 0; place < ExponentAxis::kCells; ++place) {
    const double heat = heatOfShare(shares[static_cast<std::size_t>(place)]);
    if (std::isnan(heat)) continue;
    const auto [left, right] = axis.cell(place);
    painter.fillRect(QRect(QPoint(round(left), rect.top()), QPoint(round(right) - 1, rect.bottom())),
                     colourOfHeat(heat));
  }
}

}  // namespace ampprof::gui
