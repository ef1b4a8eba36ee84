// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QPushButton;

namespace ampprof::gui {

/// Shows a command for the user to copy. If it creates a report, the user can also run it in a CommandDialog.
class CommandRow : public QFrame {
  Q_OBJECT

 public:
  /// Creates an empty row. `caption`: label before the command, such as "To record it".
  explicit CommandRow(const QString& caption, QWidget* parent = nullptr);

  /// `report`: path of the report that the command creates; "" for a command that can only be copied.
  void showCommand(const QString& command, const QString& report = {});
  QString command() const;
  /// Hides the caption. Screen readers still read it.
  void hideCaption();

 signals:
  /// Emitted when the command has created this report.
  void reportMade(const QString& path);

 private:
  void run();

  QString caption_;
  QLabel* label_;  ///< the caption
  QLabel* command_;
  QPushButton* run_;
  QString report_;
};

}  // namespace ampprof::gui
