// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "gui/delegates/box_colours.h"

namespace ampprof::gui {

struct ModulePicture;

/// Returns the colour of each node for a measure: the heat of a call site, and of a module that of the worst in it. A
/// change of the loss is neutral unless it is above `noise`. A call site with an error that is not finite has its
/// colour whatever the measure is.
std::vector<BoxTone> heatTones(const ModulePicture& picture, std::size_t measure, double noise);

/// Factor of a change that has the strongest colour.
inline constexpr double kStrongestChange = 4.0;

/// Returns how strong the strongest colour of a change is: half, where nothing tells a change from noise.
constexpr double strengthOf(bool has_noise) { return has_noise ? 1.0 : 0.5; }

/// Returns the colour of each node by how the measure that is weighed changed. A change that is noise is neutral.
std::vector<BoxTone> changeTones(const ModulePicture& picture, std::size_t measure, bool has_noise);

}  // namespace ampprof::gui
