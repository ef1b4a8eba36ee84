// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <string>

namespace ampprof::gui {

/// The rows of a MarkedTree in the order of `rows`, as CSV with exact values. A group stands before its call sites. The
/// values of one column are its check boxes; -1 for none.
std::string csvOf(const QAbstractItemModel& rows, int check_column = -1);

}  // namespace ampprof::gui
