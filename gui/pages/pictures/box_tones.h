// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "gui/delegates/box_colours.h"

namespace ampprof::gui {

struct ModulePicture;

/// Returns the colour of each node for a measure: heat for a call site; for a module, the colour of its worst call
/// site. A value is neutral unless above `noise`. A call site with a non-finite value of any measure is NonFinite for
/// all measures.
std::vector<BoxTone> heatTones(const ModulePicture& picture, std::size_t measure, double noise);

/// Ratio of new to old value from which on the colour of a change is strongest.
inline constexpr double kStrongestChange = 4.0;

/// Returns the BoxTone::value of the strongest change: 1, or 0.5 if changes cannot be told from noise.
constexpr double strengthOf(bool has_noise) { return has_noise ? 1.0 : 0.5; }

/// Returns the colour of each node by the change of a measure. A change within noise is neutral. `has_noise`: noise is
/// known.
std::vector<BoxTone> changeTones(const ModulePicture& picture, std::size_t measure, bool has_noise);

}  // namespace ampprof::gui
