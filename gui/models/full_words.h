// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string_view>

namespace ampprof::gui {

/// Returns a cell of a table of `ampprof show` as the window shows it: with arrows ("f32 → f16"), and with the full
/// name of a phase if `exact`, the value of the cell, begins with it ("backward fc/mm" for "bwd fc/mm").
QString inFullWords(std::string_view cell, std::string_view exact);

}  // namespace ampprof::gui
