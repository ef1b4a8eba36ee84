// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <string>

namespace ampprof::gui {

/// Returns the rows of a MarkedTree as CSV with exact values, in the order of `rows`, which is the tree or a proxy of
/// the tree. A group precedes its call sites. `check_column` is the column that is written as check boxes; -1 for none.
std::string csvOf(const QAbstractItemModel& rows, int check_column = -1);

}  // namespace ampprof::gui
