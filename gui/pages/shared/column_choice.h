// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonArray>
#include <QObject>

class QHeaderView;
class QMenu;

namespace ampprof::gui {

/// Lets the user show, hide and reorder the columns of a header: columns can be dragged, and a right click opens a menu
/// of all columns but the first. When the model's columns change, the choice applies to new columns with the same
/// titles. Owned by the header, which must already have a model.
class ColumnChoice : public QObject {
  Q_OBJECT

 public:
  explicit ColumnChoice(QHeaderView* header);

  QMenu* menu() const { return menu_; }
  /// Returns [{"title": "calls", "hidden": true}, …] from left to right; empty until the user changes something.
  QJsonArray state() const { return chosen_; }
  /// Applies a state(), now and whenever the model's columns change. Ignores invalid entries.
  void restore(const QJsonArray& state);

 private:
  void fillMenu();
  void hide(int column, bool is_hidden);
  void remember();
  void apply();

  QHeaderView* header_;
  QMenu* menu_;
  QJsonArray chosen_;
  bool is_applying_ = false;
};

}  // namespace ampprof::gui
