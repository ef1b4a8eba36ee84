// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/shared/column_choice.h"

#include <QAction>
#include <QHeaderView>
#include <QJsonObject>
#include <QMenu>
#include <QScopedValueRollback>

namespace ampprof::gui {
namespace {

constexpr const char* kTitle = "title";
constexpr const char* kHidden = "hidden";

QString titleOf(const QHeaderView& header, int column) {
  return header.model()->headerData(column, Qt::Horizontal).toString();
}

/// Returns the name under which a column is stored: its title without details that depend on the report.
QString keyOf(const QHeaderView& header, int column) {
  const QVariant key = header.model()->headerData(column, Qt::Horizontal, Qt::EditRole);
  return key.isValid() ? key.toString() : titleOf(header, column);
}

int columnOf(const QHeaderView& header, const QString& title) {
  for (int column = 0; column < header.count(); ++column) {
    if (keyOf(header, column) == title) return column;
  }
  return -1;
}

}  // namespace

ColumnChoice::ColumnChoice(QHeaderView* header) : QObject(header), header_(header), menu_(new QMenu(header)) {
  menu_->setToolTipsVisible(true);
  fillMenu();
  header->setSectionsMovable(true);
  header->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(menu_, &QMenu::aboutToShow, this, &ColumnChoice::fillMenu);
  connect(header, &QWidget::customContextMenuRequested, menu_,
          [this](const QPoint& place) { menu_->popup(header_->mapToGlobal(place)); });
  connect(header, &QHeaderView::sectionMoved, this, &ColumnChoice::remember);
  connect(header->model(), &QAbstractItemModel::modelReset, this, &ColumnChoice::apply);
}

void ColumnChoice::fillMenu() {
  menu_->clear();
  for (int column = 1; column < header_->count(); ++column) {
    QAction* action = menu_->addAction(titleOf(*header_, column));
    action->setToolTip(header_->model()->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString());
    action->setCheckable(true);
    action->setChecked(!header_->isSectionHidden(column));
    connect(action, &QAction::toggled, this, [this, column](bool is_on) { hide(column, !is_on); });
  }
}

void ColumnChoice::hide(int column, bool is_hidden) {
  header_->setSectionHidden(column, is_hidden);
  remember();
}

void ColumnChoice::remember() {
  if (is_applying_) return;
  chosen_ = {};
  for (int place = 0; place < header_->count(); ++place) {
    const int column = header_->logicalIndex(place);
    chosen_ << QJsonObject{{kTitle, keyOf(*header_, column)}, {kHidden, header_->isSectionHidden(column)}};
  }
}

void ColumnChoice::restore(const QJsonArray& state) {
  QJsonArray known;
  for (const QJsonValue& value : state) {
    if (value[kTitle].isString()) known << value;
  }
  if (known.isEmpty()) return;
  chosen_ = known;
  apply();
}

void ColumnChoice::apply() {
  const QScopedValueRollback applying(is_applying_, true);
  int place = 0;
  for (const QJsonValue& value : chosen_) {
    const QJsonObject wanted = value.toObject();
    const int column = columnOf(*header_, wanted[kTitle].toString());
    if (column < 0) continue;
    header_->moveSection(header_->visualIndex(column), place++);
    header_->setSectionHidden(column, column > 0 && wanted[kHidden].toBool());
  }
  fillMenu();
}

}  // namespace ampprof::gui
