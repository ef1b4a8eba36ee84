// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/delegates/box_colours.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "gui/delegates/heat_delegate.h"
#include "gui/delegates/precision_colours.h"

namespace ampprof::gui {
namespace {

struct ChangeColours {
  QColor less;
  QColor same;
  QColor more;
};

ChangeColours changeColours(const QPalette& palette) {
  const bool is_dark = palette.color(QPalette::Base).lightness() < 128;
  return is_dark ? ChangeColours{"#56b4e9", "#4a4a4a", "#ff7a3c"} : ChangeColours{"#0072b2", "#dcdcdc", "#d55e00"};
}

QColor blended(const QColor& from, const QColor& to, double share) {
  const auto part = [&](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * share)); };
  return {part(from.red(), to.red()), part(from.green(), to.green()), part(from.blue(), to.blue())};
}

}  // namespace

QColor colourOf(const BoxTone& tone, const QPalette& palette) {
  const ChangeColours change = changeColours(palette);
  switch (tone.kind) {
    case BoxTone::Kind::Heat:
      return cividis(tone.value);
    case BoxTone::Kind::NonFinite:
      return colourOf(PrecisionClass::NonFinite, palette);
    case BoxTone::Kind::Change:
      return blended(change.same, tone.value < 0 ? change.less : change.more, std::min(1.0, std::abs(tone.value)));
    case BoxTone::Kind::Neutral:
      break;
  }
  return change.same;
}

QPixmap scaleOf(BoxTone::Kind kind, const QSize& size, const QPalette& palette, double largest) {
  QPixmap scale(size);
  QPainter painter(&scale);
  const double first = kind == BoxTone::Kind::Change ? -largest : 0.0;
  for (int x = 0; x < size.width(); ++x) {
    const double value = first + (largest - first) * x / std::max(1, size.width() - 1);
    painter.fillRect(x, 0, 1, size.height(), colourOf(BoxTone{kind, value}, palette));
  }
  return scale;
}

}  // namespace ampprof::gui
