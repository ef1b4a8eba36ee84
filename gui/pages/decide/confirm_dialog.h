// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "gui/pages/shared/command_dialog.h"
#include "precision/advice/advise.h"

class QTemporaryDir;

namespace ampprof::gui {

class Board;

/// Runs the program again with the marked functions in FP32, then puts what was measured beside what was predicted.
class ConfirmDialog : public CommandDialog {
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
  struct Files;
  ConfirmDialog(Files files, std::shared_ptr<const Board> board, advice::Advice advice, QWidget* parent);

  void compare();

  std::shared_ptr<const Board> board_;
  advice::Advice advice_;
  QString report_;                          ///< the new one
  std::unique_ptr<QTemporaryDir> scratch_;  ///< holds the policy
};

}  // namespace ampprof::gui
