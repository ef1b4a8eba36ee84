// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/raw/record_details.h"

#include <QHeaderView>
#include <algorithm>

namespace ampprof::gui {
namespace {

QString text_of(const views::Json& value) {
  if (value.is_null()) return "–";
  return QString::fromStdString(value.is_string() ? value.get<std::string>() : value.dump());
}

bool is_plain(const views::Json& value) { return !value.is_structured(); }

/// Tells whether a value is shown on one line, like lists of numbers (exponent histograms).
bool is_one_line(const views::Json& value) {
  const auto is_number = [](const views::Json& member) { return member.is_number(); };
  return is_plain(value) || value.empty() || (value.is_array() && std::ranges::all_of(value, is_number));
}

QFont bold() {
  QFont font;
  font.setBold(true);
  return font;
}

QTreeWidgetItem* item_for(const QString& key, const views::Json& value) {
  auto* item = new QTreeWidgetItem({key, is_one_line(value) ? text_of(value) : QString()});
  item->setToolTip(1, item->text(1));
  if (key == "offending" && !value.is_null()) item->setFont(1, bold());
  if (is_one_line(value)) return item;
  int place = 0;
  for (const auto& [name, member] : value.items()) {
    ++place;
    item->addChild(item_for(value.is_array() ? QString::number(place) : QString::fromStdString(name), member));
  }
  return item;
}

}  // namespace

RecordDetails::RecordDetails(QWidget* parent) : QTreeWidget(parent) {
  setAccessibleName("All values of the row");
  setHeaderLabels({"key", "value"});
  setAlternatingRowColors(true);
  header()->setStretchLastSection(true);
}

void RecordDetails::show(const views::Record& record) {
  clear();
  for (const auto& [key, value] : record.json.items()) {
    addTopLevelItem(item_for(QString::fromStdString(key), value));
  }
  expandAll();
  resizeColumnToContents(0);
}

}  // namespace ampprof::gui
