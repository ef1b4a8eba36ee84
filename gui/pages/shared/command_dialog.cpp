// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/shared/command_dialog.h"

#include <QDir>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace ampprof::gui {
namespace {

constexpr int kLinesKept = 2000;

}  // namespace

CommandDialog::CommandDialog(const QString& title, const QString& command, QWidget* parent) : QDialog(parent) {
  setWindowTitle(title);
  resize(760, 460);
  command_ = new QPlainTextEdit(command, this);
  command_->setAccessibleName("Command");
  command_->setMaximumHeight(fontMetrics().height() * 5);
  folder_ = new QLineEdit(QDir::currentPath(), this);
  folder_->setAccessibleName("Folder");
  log_ = new QPlainTextEdit(this);
  log_->setReadOnly(true);
  log_->setMaximumBlockCount(kLinesKept);
  log_->setAccessibleName("What the run prints");
  result_ = new QLabel("This command was built from the report. Check it, then start it.", this);
  result_->setWordWrap(true);
  result_->setTextFormat(Qt::PlainText);
  start_ = new QPushButton("&Start", this);
  auto* close = new QPushButton("Close", this);

  auto* form = new QFormLayout;
  form->addRow("&Command", command_);
  form->addRow("&Folder", folder_);
  buttons_ = new QHBoxLayout;
  buttons_->addWidget(result_, 1);
  buttons_->addWidget(start_);
  buttons_->addWidget(close);
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(form);
  layout->addWidget(log_, 1);
  layout->addLayout(buttons_);

  connect(start_, &QPushButton::clicked, this, &CommandDialog::startOrCancel);
  connect(close, &QPushButton::clicked, this, &QDialog::reject);
  connect(&run_, &ConfirmingRun::said, log_, &QPlainTextEdit::appendPlainText);
  connect(&run_, &ConfirmingRun::failed, this, &CommandDialog::finish);
  connect(&run_, &ConfirmingRun::succeeded, this, &CommandDialog::succeeded);
}

QPushButton* CommandDialog::addButton(const QString& text) {
  other_ = new QPushButton(text, this);
  buttons_->insertWidget(1, other_);
  return other_;
}

void CommandDialog::startOrCancel() {
  if (run_.isRunning()) return run_.cancel();
  result_->setText("Running …");
  start_->setText("&Cancel");
  if (other_ != nullptr) other_->setEnabled(false);
  run_.start(command_->toPlainText(), folder_->text());
}

void CommandDialog::finish(const QString& sentence) {
  start_->setText("&Start");
  if (other_ != nullptr) other_->setEnabled(true);
  result_->setText(sentence);
}

}  // namespace ampprof::gui
