// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/shared/command_row.h"

#include <QClipboard>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "gui/look/look.h"
#include "gui/pages/shared/command_dialog.h"
#include "gui/pages/shared/labels.h"

namespace ampprof::gui {
namespace {

constexpr int kWidthOfCaption = 18;  // width of the caption, in characters

}  // namespace

CommandRow::CommandRow(const QString& caption, QWidget* parent)
    : QFrame(parent),
      caption_(caption),
      label_(new QLabel(caption + ":")),
      command_(wrappedLabel()),
      run_(new QPushButton("Run…")) {
  command_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  command_->setAccessibleName(caption);
  auto* copy = new QPushButton("Copy");
  copy->setAccessibleName("Copy: " + caption);
  run_->setAccessibleName("Run: " + caption);
  run_->setToolTip("Shows the command, and starts it after you confirm");
  run_->hide();
  connect(copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(command()); });
  connect(run_, &QPushButton::clicked, this, &CommandRow::run);
  label_->setMinimumWidth(kWidthOfCaption *
                          fontMetrics().averageCharWidth());  // aligns the commands of rows that are below each other
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(Space::kGap, Space::kTight, Space::kGap, Space::kTight);
  layout->addWidget(label_);
  layout->addWidget(command_, 1);
  layout->addWidget(copy);
  layout->addWidget(run_);
}

void CommandRow::showCommand(const QString& command, const QString& report) {
  command_->setText(command);
  report_ = report;
  run_->setVisible(!report.isEmpty());
}

QString CommandRow::command() const { return command_->text(); }

void CommandRow::hideCaption() { label_->hide(); }

void CommandRow::run() {
  auto* dialog = new CommandDialog(caption_, command(), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &CommandDialog::succeeded, this, [this, dialog, made = report_] {
    dialog->accept();
    emit reportMade(made);
  });
  dialog->open();
}

}  // namespace ampprof::gui
