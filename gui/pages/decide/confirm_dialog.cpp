// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/decide/confirm_dialog.h"

#include <QPushButton>
#include <QTemporaryDir>
#include <utility>

#include "gui/data/background.h"
#include "gui/data/board.h"
#include "gui/data/prediction.h"
#include "gui/data/report_file.h"
#include "precision/advice/code.h"
#include "reports/text/write_file.h"

namespace ampprof::gui {

/// Paths that the command reads and writes. A struct, since the base class needs the command, and so the paths, before
/// members exist.
struct ConfirmDialog::Files {
  explicit Files(const QString& of_board)
      : report(confirmedReport(of_board)), scratch(std::make_unique<QTemporaryDir>()) {}

  QString policy() const { return scratch->filePath("marked.amp"); }

  QString report;
  std::unique_ptr<QTemporaryDir> scratch;
};

ConfirmDialog::ConfirmDialog(std::shared_ptr<const Board> board, advice::Advice advice, const QString& report,
                             QWidget* parent)
    : ConfirmDialog(Files(report), std::move(board), std::move(advice), parent) {}

ConfirmDialog::ConfirmDialog(Files files, std::shared_ptr<const Board> board, advice::Advice advice, QWidget* parent)
    : CommandDialog("Run to confirm", confirmingCommand(board->run(), board->evidence(), files.policy(), files.report),
                    parent),
      board_(std::move(board)),
      advice_(std::move(advice)),
      report_(files.report) {
  text::write_file(files.policy().toStdString(), policy_file(advice_));
  scratch_ = std::move(files.scratch);
  QPushButton* search = addButton("Searc&h…");
  search->setToolTip(
      "Finds an irreducible set of functions to keep in FP32 by re-running the program, as ampprof search does");
  connect(search, &QPushButton::clicked, this, [this] {
    emit searchWanted();
    reject();
  });
  connect(this, &CommandDialog::succeeded, this, &ConfirmDialog::compare);
}

ConfirmDialog::~ConfirmDialog() = default;

void ConfirmDialog::compare() {
  inBackground(
      this,
      [path = report_.toStdString(), level = confirmingLevel(board_->run())] {
        return boardAt(ReportFile(path), level);
      },
      [this](const std::shared_ptr<const Board>& measured) {
        const advice::Advice nothing = measured ? measured->evaluation().advice({}) : advice::Advice();
        finish(confirmationText(advice_, board_->run(), measured ? &nothing : nullptr,
                                measured ? &measured->run() : nullptr));
        emit confirmed(report_);
      },
      [this](const QString& sentence) { finish(sentence); });
}

}  // namespace ampprof::gui
