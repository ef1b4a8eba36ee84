// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/column_menu.h"

#include <QAction>
#include <QHeaderView>
#include <QMenu>

namespace ampprof::gui {

QMenu* makeColumnMenu(QHeaderView* header, QWidget* parent) {
  auto* menu = new QMenu(parent);
  for (int column = 1; column < header->count(); ++column) {
    QAction* action = menu->addAction(header->model()->headerData(column, Qt::Horizontal).toString());
    action->setToolTip(header->model()->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString());
    action->setCheckable(true);
    action->setChecked(!header->isSectionHidden(column));
    QObject::connect(action, &QAction::toggled, header,
                     [header, column](bool is_on) { header->setSectionHidden(column, !is_on); });
  }
  menu->setToolTipsVisible(true);
  header->setContextMenuPolicy(Qt::CustomContextMenu);
  QObject::connect(header, &QWidget::customContextMenuRequested, menu,
                   [header, menu](const QPoint& place) { menu->popup(header->mapToGlobal(place)); });
  return menu;
}

}  // namespace ampprof::gui
