// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/view_model.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "gui/models/full_words.h"
#include "gui/models/plain_tip.h"

namespace ampprof::gui {
namespace {

Qt::Alignment alignment_of(const views::Column& column, Qt::AlignmentFlag vertical) {
  return vertical | (column.align == views::Align::Right ? Qt::AlignRight : Qt::AlignLeft);
}

/// Returns a text; "" for a value of another type.
std::string_view textOf(const views::Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text == nullptr ? std::string_view() : *text;
}

QString exact(const views::Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return QString::fromStdString(*text);
  const views::Json json = views::to_json(value);
  if (json.is_null()) return {};
  return QString::fromStdString(json.is_string() ? json.get<std::string>() : json.dump());
}

/// Returns a value as the length of a bar; empty unless it is a finite number of at least 0.
std::optional<double> length_of(const views::Value& value) {
  std::optional<double> length;
  if (const auto* number = std::get_if<double>(&value)) length = *number;
  if (const auto* number = std::get_if<std::int64_t>(&value)) length = static_cast<double>(*number);
  return length && std::isfinite(*length) && *length >= 0 ? length : std::nullopt;
}

}  // namespace

ViewModel::ViewModel(QObject* parent) : QAbstractTableModel(parent) {}

void ViewModel::show(views::View view) {
  beginResetModel();
  view_ = std::move(view);
  measureBars();
  endResetModel();
}

void ViewModel::setBars(std::vector<std::string> keys) {
  beginResetModel();
  bars_ = std::move(keys);
  measureBars();
  endResetModel();
}

void ViewModel::measureBars() {
  longest_.assign(view_.columns.size(), 0.0);
  for (const std::string& key : bars_) {
    const int place = columnOf(key);
    if (place < 0) continue;
    double& longest = longest_[static_cast<std::size_t>(place)];
    for (const views::Record& record : view_.records) {
      longest = std::max(longest, length_of(views::value_at(view_, record, key)).value_or(0));
    }
  }
}

QVariant ViewModel::bar(int row, int place) const {
  const double longest = longest_[static_cast<std::size_t>(place)];
  if (longest <= 0) return {};
  const auto length = length_of(value(row, place));
  return length ? QVariant(*length / longest) : QVariant();
}

const views::Value& ViewModel::value(int row, int place) const {
  return views::value_at(view_, record(row), column(place).key);
}

QString ViewModel::callSite(int row) const {
  for (const char* key : {"call_site", "name", "first_op", "first_nonfinite_op"}) {
    const auto* text = std::get_if<std::string>(&views::value_at(view_, record(row), key));
    if (text != nullptr) return QString::fromStdString(*text);
  }
  return {};
}

int ViewModel::columnOf(const std::string& key) const {
  for (int place = 0; place < columnCount(); ++place) {
    if (column(place).key == key) return place;
  }
  return -1;
}

int ViewModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(view_.records.size());
}

int ViewModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(view_.columns.size());
}

QVariant ViewModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const views::Cell& cell = record(index.row()).cells[static_cast<std::size_t>(index.column())];
  switch (role) {
    case Qt::DisplayRole:
      return inFullWords(cell.text, textOf(value(index.row(), index.column())));
    case Qt::TextAlignmentRole:
      return QVariant(alignment_of(column(index.column()), view_.wraps ? Qt::AlignTop : Qt::AlignVCenter));
    case Qt::ToolTipRole:
      return plainTip(exact(value(index.row(), index.column())));
    case ToneRole:
      return static_cast<int>(cell.tone);
    case DrawingRole:
      return column(index.column()).drawing;
    case RecordRole:
      return QVariant::fromValue(&record(index.row()));
    case BarRole:
      return bar(index.row(), index.column());
    default:
      return {};
  }
}

QVariant ViewModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  if (role == Qt::DisplayRole) return inFullWords(column(section).title, {});
  if (role == Qt::TextAlignmentRole) return QVariant(alignment_of(column(section), Qt::AlignVCenter));
  if (role == Qt::ToolTipRole) return QString::fromStdString(column(section).about).remove('`');
  return {};
}

}  // namespace ampprof::gui
