// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/shared/empty_page.h"

#include <QLabel>
#include <QVBoxLayout>
#include <string>

#include "gui/data/background.h"
#include "gui/data/confirming_run.h"
#include "gui/data/report_file.h"
#include "gui/data/view_request.h"
#include "gui/pages/shared/command_row.h"
#include "gui/pages/shared/labels.h"
#include "gui/pages/shared/page_titles.h"
#include "gui/pages/shared/text.h"
#include "reports/queries/runs.h"
#include "views/table/view.h"

namespace ampprof::gui {
namespace {

/// Returns the view of `ampprof show` that tells why a page is empty. All pages of op calls are empty for the same
/// reason, which "ops" tells.
std::string viewThatTells(const PageTitle& page) {
  const QString tables = page.tables;
  return tables == "op_total" || tables == "call_chunk" ? "ops" : page.view;
}

/// Returns the additional flags of `ampprof run` that record data for a page; "" if there are none.
QString flagsFor(const ReportFile& file, const PageTitle& page) {
  const QString flags = page.flags;
  if (file.runs().empty()) return {};
  // --what-if runs compute in the program's own types, so their gradients have no error of a reduced type. Recording
  // such an error needs a level.
  const bool is_judged = !file.runs().front().what_if.empty();
  return is_judged && flags == "--impact" ? "--levels O1 --impact" : flags;
}

}  // namespace

EmptyPage::EmptyPage(QWidget* parent)
    : QWidget(parent), reason_(wrappedLabel()), remedy_(wrappedLabel()), command_(new CommandRow("To record it")) {
  reason_->setObjectName("reason");
  remedy_->setObjectName("remedy");
  command_->hideCaption();  // the text of the remedy says the same
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(reason_);
  layout->addWidget(remedy_);
  layout->addWidget(command_);
  layout->addStretch();
  connect(command_, &CommandRow::reportMade, this, &EmptyPage::reportMade);
}

void EmptyPage::explain(const std::shared_ptr<const ReportFile>& file, const PageTitle& page) {
  const int asked = ++asked_;
  showCommand(*file, page);
  if (page_ != &page) say({}, {});  // otherwise the old sentences stay until the new ones are read
  page_ = &page;
  if (file->runs().empty()) return say("This report holds no run.", "Record one with this command.");
  inBackground(
      this, [file, view = viewThatTells(page)] { return file->view({.name = view}); },
      [this, asked](const views::View& view) {
        if (asked == asked_) say(text(view.none), text(view.remedy));
      },
      [this, asked](const QString& sentence) {
        if (asked == asked_) say(sentence, {});
      });
}

void EmptyPage::say(const QString& reason, const QString& remedy) {
  reason_->setText(reason);
  remedy_->setText(remedy);
  remedy_->setVisible(!remedy.isEmpty());
}

void EmptyPage::showCommand(const ReportFile& file, const PageTitle& page) {
  if (const QString flags = flagsFor(file, page); !flags.isEmpty()) {
    const QString made = reportBeside(text(file.path().string()), "again");
    command_->showCommand(recordingCommand(file.runs().front(), flags, made), made);
  } else {
    command_->showCommand(file.runs().empty() ? kRecordAny : page.command);
  }
  command_->setVisible(!command_->command().isEmpty());
}

}  // namespace ampprof::gui
