// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTreeWidget>

#include "views/table/view.h"

namespace ampprof::gui {

/// Shows all keys of a row with exact values, as --format json prints them, including keys without a column.
class RecordDetails : public QTreeWidget {
  Q_OBJECT

 public:
  explicit RecordDetails(QWidget* parent = nullptr);

  void show(const views::Record& record);
};

}  // namespace ampprof::gui
