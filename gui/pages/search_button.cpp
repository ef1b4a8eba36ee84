// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/search_button.h"

#include <utility>

#include "gui/data/background.h"
#include "gui/pages/search_dialog.h"

namespace ampprof::gui {

SearchButton::SearchButton(std::shared_ptr<const ReportFile> file, QWidget* parent)
    : QPushButton("Searc&h…", parent), file_(std::move(file)) {
  setToolTip("Finds by runs the smallest set of functions that must stay in FP32, as ampprof search does");
  setEnabled(file_ != nullptr);
  connect(this, &QPushButton::clicked, this, &SearchButton::search);
}

void SearchButton::search() {
  if (dialog_) {
    dialog_->show();
    dialog_->raise();
    return dialog_->activateWindow();
  }
  inBackground(
      this, [file = file_] { return file->board(); },
      [this](std::shared_ptr<const Board>&& board) {
        if (board && !dialog_) open(std::move(board));
      },
      [this](const QString& sentence) { emit failed(sentence); });
}

void SearchButton::open(std::shared_ptr<const Board> board) {
  dialog_ = new SearchDialog(std::move(board), QString::fromStdString(file_->path().string()), this);
  connect(dialog_, &QDialog::finished, dialog_, &QObject::deleteLater);  // which hiding it does not emit
  connect(dialog_, &SearchDialog::stateChanged, this,
          [this] { setText(dialog_ && dialog_->isRunning() ? "Searc&hing…" : "Searc&h…"); });
  connect(dialog_, &SearchDialog::taken, this, &SearchButton::taken);
  dialog_->show();
}

}  // namespace ampprof::gui
