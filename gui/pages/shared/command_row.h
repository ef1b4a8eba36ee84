// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QPushButton;

namespace ampprof::gui {

/// Shows a command for the user to copy. One that makes a report can also be run, once the user has seen it in a
/// CommandDialog.
class CommandRow : public QFrame {
  Q_OBJECT

 public:
  /// `caption` stands before the command: "To record it".
  explicit CommandRow(const QString& caption, QWidget* parent = nullptr);

  /// `report` is what the command makes; "" for a command that can only be copied.
  void showCommand(const QString& command, const QString& report = {});
  QString command() const;

 signals:
  /// The command made this report.
  void reportMade(const QString& path);

 private:
  void run();

  QString caption_;
  QLabel* command_;
  QPushButton* run_;
  QString report_;
};

}  // namespace ampprof::gui
