// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/search/search_button.h"

#include <utility>

#include "gui/data/background.h"
#include "gui/pages/search/search_dialog.h"

namespace ampprof::gui {

SearchButton::SearchButton(std::shared_ptr<const ReportFile> file, ReadSubject read, QWidget* parent)
    : QPushButton("Searc&h…", parent), file_(std::move(file)), read_(std::move(read)) {
  setToolTip(
      "Finds an irreducible set of functions or matmuls to keep in high precision by re-running the program, as "
      "ampprof search does");
  setEnabled(file_ != nullptr);
  connect(this, &QPushButton::clicked, this, &SearchButton::search);
}

void SearchButton::setSubject(ReadSubject read) {
  read_ = std::move(read);
  if (dialog_ && !dialog_->isRunning()) dialog_->reject();
}

void SearchButton::search() {
  if (dialog_) {
    dialog_->show();
    dialog_->raise();
    return dialog_->activateWindow();
  }
  inBackground(
      this, read_,
      [this](std::optional<SearchSubject>&& subject) {
        if (subject && !dialog_) open(*std::move(subject));
      },
      [this](const QString& sentence) { emit failed(sentence); });
}

void SearchButton::open(SearchSubject subject) {
  dialog_ = new SearchDialog(std::move(subject), QString::fromStdString(file_->path().string()), this);
  // QDialog::finished is not emitted if the dialog is only hidden.
  connect(dialog_, &QDialog::finished, dialog_, &QObject::deleteLater);
  connect(dialog_, &SearchDialog::stateChanged, this,
          [this] { setText(dialog_ && dialog_->isRunning() ? "Searc&hing…" : "Searc&h…"); });
  connect(dialog_, &SearchDialog::taken, this, &SearchButton::taken);
  dialog_->show();
}

}  // namespace ampprof::gui
