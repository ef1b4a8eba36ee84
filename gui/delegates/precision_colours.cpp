// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/delegates/precision_colours.h"

#include <array>

#include "gui/delegates/heat_delegate.h"

namespace ampprof::gui {
namespace {

struct Look {
  const char* on_light;
  const char* on_dark;
};

// In the order of PrecisionClass. Orange and vermilion also differ in lightness, for those who see them alike.
constexpr std::array<Look, kPrecisionClasses> kLooks{{{"#0072b2", "#56b4e9"},
                                                      {"#009e73", "#4fc3a1"},
                                                      {"#e6a800", "#f0e442"},
                                                      {"#c43c00", "#ff6a2a"},
                                                      {"#8c8c8c", "#8c8c8c"}}};

}  // namespace

QColor colourOf(PrecisionClass kind, const QPalette& palette) {
  const Look& look = kLooks.at(static_cast<std::size_t>(kind));
  return QColor(palette.color(QPalette::Base).lightness() < 128 ? look.on_dark : look.on_light);
}

QColor inkOn(const QColor& colour) {
  return contrast(Qt::black, colour) >= contrast(Qt::white, colour) ? Qt::black : Qt::white;
}

}  // namespace ampprof::gui
