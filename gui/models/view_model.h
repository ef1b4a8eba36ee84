// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>

#include "views/view.h"

namespace ampprof::gui {

/// A views::View as Qt tables show it: the cells that `ampprof show` prints, the exact value as tool tip.
class ViewModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Role {
    ToneRole = Qt::UserRole,  ///< text::Tone of the cell, an int
    DrawingRole,              ///< whether the text is a drawing of equally wide characters
    RecordRole,               ///< const views::Record* of the row, good until the next show()
  };

  explicit ViewModel(QObject* parent = nullptr);

  void show(views::View view);
  const views::View& view() const { return view_; }
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

  views::View view_;
};

}  // namespace ampprof::gui
