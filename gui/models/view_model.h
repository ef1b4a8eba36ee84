// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <string>
#include <vector>

#include "views/table/view.h"

namespace ampprof::gui {

/// A views::View as a table model: cells as `ampprof show` prints them, but in full words, with exact values as tool
/// tips.
class ViewModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Role {
    ToneRole = Qt::UserRole,  ///< text::Tone of the cell, an int
    DrawingRole,              ///< bool: the text is a drawing of characters, which needs a monospaced font
    RecordRole,               ///< const views::Record* of the row, valid until the next show()
    BarRole,                  ///< length of the cell's bar, 0 to 1; invalid if there is no bar
    NoiseRole,                ///< standard error of BarRole, in the same unit; invalid if unknown
  };

  explicit ViewModel(QObject* parent = nullptr);

  void show(views::View view);
  const views::View& view() const { return view_; }
  /// Adds bars to the columns with these keys, also in views that are shown later. Each column has its own scale.
  void setBars(std::vector<std::string> keys);
  const views::Record& record(int row) const { return view_.records[static_cast<std::size_t>(row)]; }
  /// Returns the value by which a cell is sorted; absent if the column has no values.
  const views::Value& value(int row, int column) const;
  /// Returns the OpRow::call_site of a row; for an event, that of its first op. "" if the row has none or several.
  QString callSite(int row) const;
  /// Returns the index of the column with a key; -1 if there is none.
  int columnOf(const std::string& key) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  const views::Column& column(int place) const { return view_.columns[static_cast<std::size_t>(place)]; }
  void measureBars();
  QVariant bar(int row, int place) const;

  views::View view_;
  std::vector<std::string> bars_;  ///< keys of columns with bars
  std::vector<double> longest_;    ///< largest number in each column with bars; 0 for other columns
};

}  // namespace ampprof::gui
