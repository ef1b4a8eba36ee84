// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/delegates/precision_colours.h"

#include <array>

#include "gui/delegates/heat_delegate.h"

namespace ampprof::gui {
namespace {

struct Look {
  const char* name;
  const char* on_light;
  const char* on_dark;
};

// In the order of PrecisionClass. Orange and vermilion also differ in lightness, for those who see them alike.
constexpr std::array<Look, kPrecisionClasses> kLooks{{{"FP32", "#0072b2", "#56b4e9"},
                                                      {"reduced", "#009e73", "#4fc3a1"},
                                                      {"with casts", "#e6a800", "#f0e442"},
                                                      {"NaN or inf", "#c43c00", "#ff6a2a"},
                                                      {"other", "#8c8c8c", "#8c8c8c"}}};

}  // namespace

QColor colourOf(PrecisionClass kind, const QPalette& palette) {
  const Look& look = kLooks.at(static_cast<std::size_t>(kind));
  return QColor(palette.color(QPalette::Base).lightness() < 128 ? look.on_dark : look.on_light);
}

QString nameOf(PrecisionClass kind) { return QString::fromUtf8(kLooks.at(static_cast<std::size_t>(kind)).name); }

QColor inkOn(const QColor& colour) {
  return contrast(Qt::black, colour) >= contrast(Qt::white, colour) ? Qt::black : Qt::white;
}

}  // namespace ampprof::gui
