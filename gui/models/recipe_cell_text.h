// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "gui/data/recipe_board.h"

namespace ampprof::gui {

/// "1=  3.2e-04": place, = where it is shared, and predicted damage; or why there is none, in two words.
QString cellText(const RecipeCell& cell);

/// Tells what a matmul loses, and what that does, in lines; "" where there is no such matmul.
QString cellTip(const RecipeCell& cell);

/// Says of two recipes for one matmul which does more: "3.1 times mxfp8's", "cannot be told from mxfp8's"; "" where
/// either has no size.
QString comparedText(const RecipeCell& cell, const RecipeCell& other, const QString& name_of_other);

}  // namespace ampprof::gui
