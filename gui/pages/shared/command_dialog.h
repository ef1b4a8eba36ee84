// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "gui/data/confirming_run.h"

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace ampprof::gui {

/// Shows a command that was composed from a report, runs it when the user starts it, and shows its output.
class CommandDialog : public QDialog {
  Q_OBJECT

 public:
  CommandDialog(const QString& title, const QString& command, QWidget* parent = nullptr);

 signals:
  /// Emitted when the command succeeded. The receiver calls finish().
  void succeeded();

 protected:
  /// Shows a sentence about the result, and lets the user start the command again.
  void finish(const QString& sentence);
  /// Adds a button left of the start button. It is disabled while the command runs.
  QPushButton* addButton(const QString& text);

 private:
  void startOrCancel();

  ConfirmingRun run_;
  QPlainTextEdit* command_;
  QLineEdit* folder_;
  QPlainTextEdit* log_;
  QLabel* result_;
  QPushButton* start_;
  QPushButton* other_ = nullptr;
  QHBoxLayout* buttons_;
};

}  // namespace ampprof::gui
