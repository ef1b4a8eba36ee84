// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QAbstractItemModel;
class QTableView;
class QWidget;

namespace ampprof::gui {

/// A table that shows a ViewModel, or a proxy of one, in the tones of the terminal. Ctrl+C copies the selected rows.
QTableView* makeViewTable(QAbstractItemModel* model, const QString& accessible_name, QWidget* parent);

/// Makes columns as wide as their texts are, within reason.
void fitColumns(QTableView* table);

}  // namespace ampprof::gui
