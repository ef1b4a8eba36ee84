// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/look/look.h"

#include <algorithm>
#include <cmath>

namespace ampprof::gui {
namespace {

constexpr double kTitleScale = 1.4;

struct RoleShade {
  QPalette::ColorRole role;
  Shade shade;
};

constexpr std::array kRoles{
    RoleShade{QPalette::Window, {"#f3f3f3", "#26262a"}},
    RoleShade{QPalette::WindowText, {"#1a1a1a", "#e8e8e8"}},
    RoleShade{QPalette::Base, {"#ffffff", "#1c1c1f"}},
    RoleShade{QPalette::AlternateBase, {"#f5f5f7", "#242428"}},
    RoleShade{QPalette::Text, {"#1a1a1a", "#e8e8e8"}},
    RoleShade{QPalette::PlaceholderText, {"#646464", "#a0a0a0"}},
    RoleShade{QPalette::Button, {"#ececec", "#333338"}},
    RoleShade{QPalette::ButtonText, {"#1a1a1a", "#e8e8e8"}},
    RoleShade{QPalette::ToolTipBase, {"#ffffff", "#333338"}},
    RoleShade{QPalette::ToolTipText, {"#1a1a1a", "#e8e8e8"}},
    RoleShade{QPalette::Highlight, {"#0072b2", "#2a78ac"}},
    RoleShade{QPalette::HighlightedText, {"#ffffff", "#ffffff"}},
    RoleShade{QPalette::Link, {"#006aa6", "#56b4e9"}},
    RoleShade{QPalette::BrightText, {"#b34700", "#ff8a4c"}},
    RoleShade{QPalette::Light, {"#ffffff", "#5a5a60"}},
    RoleShade{QPalette::Midlight, {"#e3e3e3", "#4a4a50"}},
    RoleShade{QPalette::Mid, {"#b8b8b8", "#6a6a70"}},
    RoleShade{QPalette::Dark, {"#9f9f9f", "#141416"}},
    RoleShade{QPalette::Shadow, {"#767676", "#0c0c0d"}},
};

constexpr Shade kDisabledText{"#8a8a8a", "#8a8a8a"};

double luminance(const QColor& colour) {
  const auto linear = [](double part) {
    return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

}  // namespace

bool isDark(const QPalette& palette) { return palette.color(QPalette::Base).lightness() < 128; }

QColor colourOn(const QPalette& palette, const Shade& shade) {
  return QColor(isDark(palette) ? shade.on_dark : shade.on_light);
}

double contrast(const QColor& a, const QColor& b) {
  const auto [dark, light] = std::minmax({luminance(a), luminance(b)});
  return (light + 0.05) / (dark + 0.05);
}

QPalette ownPalette(bool is_dark) {
  const auto of = [&](const Shade& shade) { return QColor(is_dark ? shade.on_dark : shade.on_light); };
  QPalette palette;
  for (const RoleShade& each : kRoles) palette.setColor(each.role, of(each.shade));
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
    palette.setColor(QPalette::Disabled, role, of(kDisabledText));
  }
  return palette;
}

QFont scaled(QFont font, TextSize size) {
  font.setBold(size != TextSize::Body);
  if (size == TextSize::Title) font.setPointSizeF(font.pointSizeF() * kTitleScale);
  return font;
}

}  // namespace ampprof::gui
