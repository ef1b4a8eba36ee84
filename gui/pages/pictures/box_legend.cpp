// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/pictures/box_legend.h"

#include <QPainter>
#include <utility>

namespace ampprof::gui {
namespace {

constexpr int kScaleLength = 120;
constexpr int kGap = 6;       // space between the parts of an entry, in pixels
constexpr int kWideGap = 20;  // space between unrelated entries, in pixels

}  // namespace

BoxLegend::BoxLegend(QWidget* parent) : QWidget(parent) {
  setAccessibleName("Colours");
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void BoxLegend::show(Scale scale, std::vector<Single> singles) {
  scale_ = std::move(scale);
  singles_ = std::move(singles);
  QStringList said{scale_.title, scale_.low, scale_.high};
  for (const Single& single : singles_) said << single.meaning;
  setAccessibleDescription(said.join(", "));
  update();
}

QSize BoxLegend::sizeHint() const { return {kScaleLength, fontMetrics().height() + kGap}; }

void BoxLegend::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const int side = fontMetrics().ascent();
  const int top = (height() - side) / 2;
  int x = 0;
  const auto say = [&](const QString& words, int gap) {
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(QRect(x, 0, width(), height()), Qt::AlignLeft | Qt::AlignVCenter, words);
    x += fontMetrics().horizontalAdvance(words) + gap;
  };
  if (!scale_.title.isEmpty()) {
    say(scale_.title, kWideGap / 2);
    say(scale_.low, kGap);
    painter.drawPixmap(x, top, scaleOf(scale_.kind, {kScaleLength, side}, palette(), scale_.largest));
    x += kScaleLength + kGap;
    say(scale_.high, kWideGap);
  }
  for (const Single& single : singles_) {
    painter.fillRect(x, top, side, side, colourOf(single.tone, palette()));
    x += side + kGap;
    say(single.meaning, kWideGap);
  }
}

}  // namespace ampprof::gui
