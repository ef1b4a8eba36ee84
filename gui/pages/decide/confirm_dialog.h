// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "gui/pages/shared/command_dialog.h"
#include "precision/advice/advise.h"

class QTemporaryDir;

namespace ampprof::gui {

class Board;

/// Runs the program again with the marked functions in FP32, then compares measured with predicted values.
class ConfirmDialog : public CommandDialog {
  Q_OBJECT

 public:
  /// `report`: path of the report with the board. The new report is created in the same folder.
  ConfirmDialog(std::shared_ptr<const Board> board, advice::Advice advice, const QString& report,
                QWidget* parent = nullptr);
  ~ConfirmDialog() override;

 signals:
  /// Emitted with the path of the new report when it has been recorded.
  void confirmed(const QString& report);
  /// Emitted when the user wants to search for a set of functions instead.
  void searchWanted();

 private:
  struct Files;
  ConfirmDialog(Files files, std::shared_ptr<const Board> board, advice::Advice advice, QWidget* parent);

  void compare();

  std::shared_ptr<const Board> board_;
  advice::Advice advice_;
  QString report_;                          ///< path of the new report
  std::unique_ptr<QTemporaryDir> scratch_;  ///< contains the policy file
};

}  // namespace ampprof::gui
