// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/theme.h"

#include <QApplication>
#include <QSettings>
#include <QStyle>

#include "gui/delegates/outlined_style.h"
#include "gui/look/look.h"

namespace ampprof::gui {
namespace {

constexpr const char* kThemeKey = "theme";

/// The desktop's style and palette, stored before another theme is applied.
struct Desktop {
  QString style;
  QPalette palette;
};

const Desktop& desktop() {
  static const Desktop kDesktop{QApplication::style()->objectName(), QApplication::palette()};
  return kDesktop;
}

void apply(Theme theme) {
  const Desktop& before = desktop();
  const bool is_own = theme != Theme::System;
  is_own ? QApplication::setStyle(new OutlinedStyle) : void(QApplication::setStyle(before.style));
  QApplication::setPalette(is_own ? ownPalette(theme == Theme::Dark) : before.palette);
}

}  // namespace

Theme chosenTheme() {
  const int stored = QSettings().value(kThemeKey, 0).toInt();
  return stored == 1 ? Theme::Light : stored == 2 ? Theme::Dark : Theme::System;
}

void choose(Theme theme) {
  QSettings().setValue(kThemeKey, static_cast<int>(theme));
  apply(theme);
}

void applyChosenTheme() {
  desktop();
  if (chosenTheme() != Theme::System) apply(chosenTheme());
}

}  // namespace ampprof::gui
