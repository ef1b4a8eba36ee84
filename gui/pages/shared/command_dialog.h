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

/// Runs a command that was put together from a report, once the user has seen it and started it, and shows what it
/// prints.
class CommandDialog : public QDialog {
  Q_OBJECT

 public:
  CommandDialog(const QString& title, const QString& command, QWidget* parent = nullptr);

 signals:
  /// The command ended well. finish() says so.
  void succeeded();

 protected:
  /// Says how it went, and lets the user start again.
  void finish(const QString& sentence);
  /// Puts a button before that which starts. It cannot be pressed while the command runs.
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
