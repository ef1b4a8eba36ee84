// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/delegates/precision_colours.h"

#include <array>

#include "gui/data/activity_names.h"
#include "gui/look/look.h"

namespace ampprof::gui {
namespace {

// In the order of PrecisionClass. Orange and vermilion also differ in lightness, for colour-blind users.
constexpr std::array<Shade, kPrecisionClasses> kOfCalls{{{"#0072b2", "#56b4e9"},
                                                         {"#009e73", "#4fc3a1"},
                                                         {"#e6a800", "#f0e442"},
                                                         {"#c43c00", "#ff6a2a"},
                                                         {"#8c8c8c", "#8c8c8c"}}};

// In the order of ActivityClass. Tensor Cores have the colour of reduced precision, other kernels the grey of other
// ops.
constexpr std::array<Shade, kActivityClasses> kOfActivities{{{"#009e73", "#4fc3a1"},
                                                             {"#a0407c", "#e79ac8"},
                                                             {"#8c8c8c", "#8c8c8c"},
                                                             {"#56b4e9", "#3f8fc4"},
                                                             {"#e6a800", "#f0e442"}}};

}  // namespace

QColor colourOf(queries::TrackKind track, std::size_t kind, const QPalette& palette) {
  return colourOn(palette, track == queries::TrackKind::Threads ? kOfCalls.at(kind) : kOfActivities.at(kind));
}

QColor inkOn(const QColor& colour) {
  return contrast(Qt::black, colour) >= contrast(Qt::white, colour) ? Qt::black : Qt::white;
}

}  // namespace ampprof::gui
