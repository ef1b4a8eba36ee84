// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QAbstractItemModel;
class QLineEdit;
class QTableView;
class QWidget;

namespace ampprof::gui {

class ViewFilter;
class ViewModel;

/// A table that shows a ViewModel, or a proxy of one, in the tones of the terminal. Ctrl+C copies the selected rows;
/// the header has a ColumnChoice.
QTableView* makeViewTable(QAbstractItemModel* model, const QString& accessible_name, QWidget* parent);

/// A field for a regular expression that rows are filtered by: "op", "module".
QLineEdit* makePatternField(const QString& what, QWidget* parent);

/// Makes the first row about a call site the current one; without a call site none. A call site that has no row changes
/// nothing.
void selectCallSite(QTableView* table, const ViewFilter& filter, const ViewModel& model, const QString& call_site);

/// Makes columns as wide as their texts are, within reason.
void fitColumns(QTableView* table);

}  // namespace ampprof::gui
