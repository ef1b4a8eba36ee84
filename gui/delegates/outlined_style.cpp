// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/delegates/outlined_style.h"

#include <QPainter>
#include <QStyleOption>

namespace ampprof::gui {

void OutlinedStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                  const QWidget* widget) const {
  QProxyStyle::drawPrimitive(element, option, painter, widget);
  if (element != PE_IndicatorCheckBox && element != PE_IndicatorRadioButton) return;
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing, element == PE_IndicatorRadioButton);
  painter->setPen(option->palette.color(QPalette::PlaceholderText));
  painter->setBrush(Qt::NoBrush);
  const QRect outline = option->rect.adjusted(0, 0, -1, -1);
  element == PE_IndicatorCheckBox ? painter->drawRect(outline) : painter->drawEllipse(outline);
  painter->restore();
}

}  // namespace ampprof::gui
