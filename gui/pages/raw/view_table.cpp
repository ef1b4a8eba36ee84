// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/raw/view_table.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLineEdit>
#include <QShortcut>
#include <QTableView>
#include <QTimer>
#include <algorithm>
#include <cstddef>

#include "gui/delegates/roomy_style.h"
#include "gui/delegates/tone_delegate.h"
#include "gui/models/view_filter.h"
#include "gui/pages/shared/column_choice.h"
#include "views/table/view.h"

namespace ampprof::gui {
namespace {

constexpr int kWidestColumn = 420;  // maximum width of a column, in pixels
constexpr int kRowPadding = 6;

void copyRows(const QTableView& table) {
  QStringList lines;
  for (const QModelIndex& row : table.selectionModel()->selectedRows()) {
    QStringList cells;
    for (int column = 0; column < table.model()->columnCount(); ++column) {
      cells << row.siblingAtColumn(column).data().toString();
    }
    lines << cells.join('\t');
  }
  QGuiApplication::clipboard()->setText(lines.join('\n'));
}

}  // namespace

QTableView* makeViewTable(QAbstractItemModel* model, const QString& accessible_name, QWidget* parent) {
  auto* table = new QTableView(parent);
  table->setAccessibleName(accessible_name);
  table->setModel(model);
  table->setItemDelegate(new ToneDelegate(table));
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setAlternatingRowColors(true);
  table->setWordWrap(false);
  table->setTextElideMode(Qt::ElideMiddle);
  table->setShowGrid(false);
  makeRoomy(table, table->horizontalHeader());
  (new ColumnChoice(table->horizontalHeader()))->setObjectName("Columns of " + accessible_name);
  table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + kRowPadding);
  auto* copy = new QShortcut(QKeySequence::Copy, table);
  copy->setContext(Qt::WidgetShortcut);
  QObject::connect(copy, &QShortcut::activated, table, [table] { copyRows(*table); });
  return table;
}

QLineEdit* makePatternField(const QString& what, QWidget* parent) {
  auto* field = new QLineEdit(parent);
  field->setPlaceholderText(what + " (regular expression)");
  field->setAccessibleName("Filter by " + what);
  field->setClearButtonEnabled(true);
  return field;
}

void selectCallSite(QTableView* table, const ViewFilter& filter, const ViewModel& model, const QString& call_site) {
  if (call_site.isEmpty()) return table->selectionModel()->clear();
  for (int row = 0; row < filter.rowCount(); ++row) {
    const QModelIndex found = filter.index(row, 0);
    if (model.callSite(filter.mapToSource(found).row()) == call_site) return table->setCurrentIndex(found);
  }
}

void fitColumns(QTableView* table) {
  table->resizeColumnsToContents();
  for (int column = 0; column < table->model()->columnCount(); ++column) {
    table->setColumnWidth(column, std::min(table->columnWidth(column), kWidestColumn));
  }
}

void wrapSentences(QTableView* table, const views::View& view) {
  for (std::size_t column = 0; column < view.columns.size(); ++column) {
    if (!view.columns[column].flexible) continue;
    table->horizontalHeader()->setSectionResizeMode(static_cast<int>(column), QHeaderView::Stretch);
  }
  if (table->wordWrap()) return;  // the rest was done for an earlier view
  table->setWordWrap(true);
  table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);  // a row can be higher than the table
  auto* soon = new QTimer(table);                                   // fits the rows once after several changes
  soon->setSingleShot(true);
  QObject::connect(soon, &QTimer::timeout, table, &QTableView::resizeRowsToContents);
  const auto fit = [soon] { soon->start(0); };
  QObject::connect(table->horizontalHeader(), &QHeaderView::sectionResized, soon, fit);
  QObject::connect(table->model(), &QAbstractItemModel::modelReset, soon, fit);
  QObject::connect(table->model(), &QAbstractItemModel::layoutChanged, soon, fit);
  QObject::connect(table->model(), &QAbstractItemModel::rowsInserted, soon, fit);
  fit();
}

}  // namespace ampprof::gui
