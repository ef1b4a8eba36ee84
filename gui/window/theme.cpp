// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/theme.h"

#include <QApplication>
#include <QSettings>
#include <QStyle>
#include <array>

namespace ampprof::gui {
namespace {

constexpr const char* kThemeKey = "theme";

struct Shade {
  QPalette::ColorRole role;
  const char* light;
  const char* dark;
};

constexpr std::array kShades{
    Shade{QPalette::Window, "#f3f3f3", "#26262a"},      Shade{QPalette::WindowText, "#1a1a1a", "#e8e8e8"},
    Shade{QPalette::Base, "#ffffff", "#1c1c1f"},        Shade{QPalette::AlternateBase, "#f5f5f7", "#242428"},
    Shade{QPalette::Text, "#1a1a1a", "#e8e8e8"},        Shade{QPalette::PlaceholderText, "#6b6b6b", "#9a9a9a"},
    Shade{QPalette::Button, "#ececec", "#333338"},      Shade{QPalette::ButtonText, "#1a1a1a", "#e8e8e8"},
    Shade{QPalette::ToolTipBase, "#ffffff", "#333338"}, Shade{QPalette::ToolTipText, "#1a1a1a", "#e8e8e8"},
    Shade{QPalette::Highlight, "#0072b2", "#2f7fb5"},   Shade{QPalette::HighlightedText, "#ffffff", "#ffffff"},
    Shade{QPalette::Link, "#0072b2", "#56b4e9"},        Shade{QPalette::BrightText, "#d55e00", "#ff8a4c"},
    Shade{QPalette::Light, "#ffffff", "#5a5a60"},       Shade{QPalette::Midlight, "#e3e3e3", "#4a4a50"},
    Shade{QPalette::Mid, "#b8b8b8", "#6a6a70"},         Shade{QPalette::Dark, "#9f9f9f", "#141416"},
    Shade{QPalette::Shadow, "#767676", "#0c0c0d"},
};

/// What the desktop had before a theme of our own was first chosen.
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
  QApplication::setStyle(is_own ? QStringLiteral("Fusion") : before.style);
  QApplication::setPalette(is_own ? paletteOf(theme) : before.palette);
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

QPalette paletteOf(Theme theme) {
  QPalette palette;
  for (const Shade& shade : kShades) {
    const QColor colour(theme == Theme::Dark ? shade.dark : shade.light);
    palette.setColor(shade.role, colour);
    const bool is_text =
        shade.role == QPalette::WindowText || shade.role == QPalette::Text || shade.role == QPalette::ButtonText;
    if (is_text) palette.setColor(QPalette::Disabled, shade.role, QColor("#8a8a8a"));
  }
  return palette;
}

}  // namespace ampprof::gui
