// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonArray>
#include <QObject>

class QHeaderView;
class QMenu;

namespace ampprof::gui {

/// Lets a user choose which columns of a header are shown, and in what order: they can be dragged, and a right click
/// opens a menu of all but the first. The choice holds for columns of the same titles when the model has others. The
/// header owns it, and must have its model.
class ColumnChoice : public QObject {
  Q_OBJECT

 public:
  explicit ColumnChoice(QHeaderView* header);

  QMenu* menu() const { return menu_; }
  /// [{"title": "calls", "hidden": true}, …] from left to right; empty while the user has chosen nothing.
  QJsonArray state() const { return chosen_; }
  /// Chooses what state() gave, now and when its columns come. Leaves out what it cannot have given.
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
