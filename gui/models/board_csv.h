// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "gui/models/board_order.h"

namespace ampprof::gui {

/// The rows of a board in their order, as CSV with exact values. A group stands before its call sites.
std::string csvOf(const BoardOrder& board);

}  // namespace ampprof::gui
