// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTreeWidget>

#include "views/table/view.h"

namespace ampprof::gui {

/// Everything that a row stands for: the keys and exact values of --format json, those without a column too.
class RecordDetails : public QTreeWidget {
  Q_OBJECT

 public:
  explicit RecordDetails(QWidget* parent = nullptr);

  void show(const views::Record& record);
};

}  // namespace ampprof::gui
