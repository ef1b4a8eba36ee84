// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/decide/confirm_dialog.h"

#include <QDir>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "gui/data/background.h"
#include "gui/data/board.h"
#include "gui/data/prediction.h"
#include "gui/data/report_file.h"
#include "precision/advice/code.h"
#include "reports/text/write_file.h"

namespace ampprof::gui {
namespace {

constexpr int kLinesKept = 2000;

}  // namespace

ConfirmDialog::ConfirmDialog(std::shared_ptr<const Board> board, advice::Advice advice, const QString& report,
                             QWidget* parent)
    : QDialog(parent),
      board_(std::move(board)),
      advice_(std::move(advice)),
      report_(confirmedReport(report)),
      scratch_(std::make_unique<QTemporaryDir>()) {
  setWindowTitle("Run to confirm");
  resize(760, 460);
  const QString policy = scratch_->filePath("marked.amp");
  text::write_file(policy.toStdString(), policy_file(advice_));

  command_ = new QPlainTextEdit(confirmingCommand(board_->run(), board_->evidence(), policy, report_), this);
  command_->setAccessibleName("Command");
  command_->setMaximumHeight(fontMetrics().height() * 5);
  folder_ = new QLineEdit(QDir::currentPath(), this);
  folder_->setAccessibleName("Folder");
  log_ = new QPlainTextEdit(this);
  log_->setReadOnly(true);
  log_->setMaximumBlockCount(kLinesKept);
  log_->setAccessibleName("What the run prints");
  result_ = new QLabel("This command was put together from the report. Look at it, then start it.", this);
  result_->setWordWrap(true);
  result_->setTextFormat(Qt::PlainText);
  start_ = new QPushButton("&Start", this);
  search_ = new QPushButton("Searc&h…", this);
  search_->setToolTip("Finds by runs the smallest set of functions that must stay in FP32, as ampprof search does");
  auto* close = new QPushButton("Close", this);

  auto* form = new QFormLayout;
  form->addRow("&Command", command_);
  form->addRow("&Folder", folder_);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(result_, 1);
  buttons->addWidget(search_);
  buttons->addWidget(start_);
  buttons->addWidget(close);
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(form);
  layout->addWidget(log_, 1);
  layout->addLayout(buttons);

  connect(start_, &QPushButton::clicked, this, &ConfirmDialog::startOrCancel);
  connect(search_, &QPushButton::clicked, this, [this] {
    emit searchWanted();
    reject();
  });
  connect(close, &QPushButton::clicked, this, &QDialog::reject);
  connect(&run_, &ConfirmingRun::said, log_, &QPlainTextEdit::appendPlainText);
  connect(&run_, &ConfirmingRun::failed, this, &ConfirmDialog::finish);
  connect(&run_, &ConfirmingRun::succeeded, this, &ConfirmDialog::compare);
}

ConfirmDialog::~ConfirmDialog() = default;

void ConfirmDialog::startOrCancel() {
  if (run_.isRunning()) return run_.cancel();
  result_->setText("Running …");
  start_->setText("&Cancel");
  search_->setEnabled(false);  // it would end this run
  run_.start(command_->toPlainText(), folder_->text());
}

void ConfirmDialog::finish(const QString& sentence) {
  start_->setText("&Start");
  search_->setEnabled(true);
  result_->setText(sentence);
}

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
