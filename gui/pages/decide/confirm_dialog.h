// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <memory>

#include "gui/data/confirming_run.h"
#include "precision/advice/advise.h"

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QTemporaryDir;

namespace ampprof::gui {

class Board;

/// Runs the program again with the marked functions in FP32, once the user has seen the command and started it; then
/// puts what was measured beside what was predicted.
class ConfirmDialog : public QDialog {
  Q_OBJECT

 public:
  /// `report` is the file that the board is of; the new one is put beside it.
  ConfirmDialog(std::shared_ptr<const Board> board, advice::Advice advice, const QString& report,
                QWidget* parent = nullptr);
  ~ConfirmDialog() override;

 signals:
  /// A new report, with what was measured.
  void confirmed(const QString& report);
  /// The user would rather have runs find the set.
  void searchWanted();

 private:
  void startOrCancel();
  void compare();
  void finish(const QString& sentence);

  std::shared_ptr<const Board> board_;
  advice::Advice advice_;
  QString report_;  ///< the new one
  std::unique_ptr<QTemporaryDir> scratch_;
  ConfirmingRun run_;
  QPlainTextEdit* command_;
  QLineEdit* folder_;
  QPlainTextEdit* log_;
  QLabel* result_;
  QPushButton* start_;
  QPushButton* search_;
};

}  // namespace ampprof::gui
