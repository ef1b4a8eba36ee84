// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/shared/name_column.h"

#include <QHeaderView>
#include <QTreeView>
#include <algorithm>

namespace ampprof::gui {
namespace {

constexpr int kMargins = 24;  // space around a name, in pixels
constexpr int kMostCharacters = 80;

}  // namespace

int widestName(const QTreeView& tree) {
  const QAbstractItemModel& names = *tree.model();
  int widest = 0;
  const auto measure = [&](const QModelIndex& name, int level) {
    const int text = tree.fontMetrics().horizontalAdvance(name.data().toString());
    widest = std::max(widest, level * tree.indentation() + text);
  };
  for (int group = 0; group < names.rowCount(); ++group) {
    const QModelIndex top = names.index(group, 0);
    measure(top, 1);
    for (int row = 0; row < names.rowCount(top); ++row) measure(names.index(row, 0, top), 2);
  }
  return widest + kMargins;
}

void closeGaps(QHeaderView& header) {
  for (int section = 0; section < header.count(); ++section) {
    if (!header.isSectionHidden(section)) continue;
    header.setSectionHidden(section, false);
    header.setSectionHidden(section, true);
  }
}

void fitNameColumn(QTreeView& tree, int least, int widest) {
  int others = 0;  // a hidden column has a width of 0
  for (int column = 1; column < tree.model()->columnCount(); ++column) others += tree.columnWidth(column);
  const int character = tree.fontMetrics().averageCharWidth();
  const int most = std::min(widest, kMostCharacters * character);
  const int least_name = std::min(most, least * character + 2 * tree.indentation() + kMargins);
  tree.setColumnWidth(0, std::max({least * character, least_name, std::min(tree.viewport()->width() - others, most)}));
}

}  // namespace ampprof::gui
