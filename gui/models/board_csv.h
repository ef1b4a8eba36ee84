// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "gui/models/board_order.h"
#include "gui/models/recipe_order.h"

namespace ampprof::gui {

/// The rows of a board in their order, as CSV with exact values. A group stands before its call sites.
std::string csvOf(const BoardOrder& board);
/// The layers of recipes likewise; of matmuls the sizes.
std::string csvOf(const RecipeOrder& layers);

}  // namespace ampprof::gui
