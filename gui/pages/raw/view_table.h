// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QAbstractItemModel;
class QLineEdit;
class QTableView;
class QWidget;

namespace ampprof::views {
struct View;
}

namespace ampprof::gui {

class ViewFilter;
class ViewModel;

/// Creates a table for a ViewModel, or for a proxy of it, in the tones of the terminal. Ctrl+C copies the selected
/// rows. The header has a ColumnChoice.
QTableView* makeViewTable(QAbstractItemModel* model, const QString& accessible_name, QWidget* parent);

/// Creates a field for a regular expression that filters rows. `what` is the filtered property: "op" or "module".
QLineEdit* makePatternField(const QString& what, QWidget* parent);

/// Makes the first row of a call site current; "" clears the current row. Does nothing if the call site has no row.
void selectCallSite(QTableView* table, const ViewFilter& filter, const ViewModel& model, const QString& call_site);

/// Fits columns to their texts, up to a maximum width.
void fitColumns(QTableView* table);

/// Makes the columns of sentences (Column::flexible) share the free width of the table, and wraps their texts. Rows are
/// as high as their texts. Call it whenever the table shows a view with View::wraps.
void wrapSentences(QTableView* table, const views::View& view);

}  // namespace ampprof::gui
