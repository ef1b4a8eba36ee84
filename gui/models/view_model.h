// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <string>
#include <vector>

#include "views/table/view.h"

namespace ampprof::gui {

/// A views::View as Qt tables show it: the cells that `ampprof show` prints, the exact value as tool tip.
class ViewModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Role {
    ToneRole = Qt::UserRole,  ///< text::Tone of the cell, an int
    DrawingRole,              ///< whether the text is a drawing of equally wide characters
    RecordRole,               ///< const views::Record* of the row, good until the next show()
    BarRole,                  ///< length of the cell's bar, 0 to 1; invalid without one
    NoiseRole,                ///< standard error of BarRole, in the same unit; invalid where unknown
  };

  explicit ViewModel(QObject* parent = nullptr);

  void show(views::View view);
  const views::View& view() const { return view_; }
  /// Gives the numbers of these columns a bar, now and in views to come; all of a column are on one scale.
  void setBars(std::vector<std::string> keys);
  const views::Record& record(int row) const { return view_.records[static_cast<std::size_t>(row)]; }
  /// Returns what a column sorts by; an absent value where it shows no single one.
  const views::Value& value(int row, int column) const;
  /// The call site that a row is about, as in OpRow; "" where it is about none, or several.
  QString callSite(int row) const;
  /// The place of the column that shows a key; -1 where there is none.
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
  std::vector<std::string> bars_;  ///< keys of columns
  std::vector<double> longest_;    ///< largest number of each column that has bars, 0 for others
};

}  // namespace ampprof::gui
