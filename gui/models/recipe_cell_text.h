// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "gui/data/recipe_board.h"

namespace ampprof::gui {

/// Returns rank, "=" for a tie, and predicted impact: "1=  3.2e-04"; or a short reason if there is no impact.
QString cellText(const RecipeCell& cell);

/// Describes the rounding errors of a matmul and their impact, one line per fact; "" if the layer has no such matmul.
QString cellTip(const RecipeCell& cell);

/// Compares the impacts of two recipes on one matmul: "3.1 times the impact of mxfp8", "impact cannot be told apart
/// from that of mxfp8"; "" if one of the impacts is unknown.
QString comparedText(const RecipeCell& cell, const RecipeCell& other, const QString& name_of_other);

}  // namespace ampprof::gui
