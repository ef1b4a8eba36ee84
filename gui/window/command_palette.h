// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QDialog>

class QLineEdit;
class QListWidget;

namespace ampprof::gui {

/// Finds an action by words of its name: typed, chosen with the arrows, run with Enter.
class CommandPalette : public QDialog {
  Q_OBJECT

 public:
  /// Actions that cannot be run now are not offered. They must outlive the dialog.
  CommandPalette(const QList<QAction*>& actions, QWidget* parent);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void offer(const QString& words);
  void run();

  QList<QAction*> actions_;
  QLineEdit* words_;
  QListWidget* list_;
};

}  // namespace ampprof::gui
