// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QModelIndex>
#include <QVariant>

#include "views/table/value.h"

namespace ampprof::gui {

/// Returns what a cell is ordered by, as the command line orders: the number or text that a role of its model holds.
inline views::Value sortValue(const QModelIndex& index, int role) {
  const QVariant value = index.data(role);
  if (!value.isValid()) return {};
  if (value.userType() == QMetaType::QString) return value.toString().toStdString();
  return value.toDouble();
}

}  // namespace ampprof::gui
