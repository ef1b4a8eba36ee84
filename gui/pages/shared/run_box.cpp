// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/shared/run_box.h"

#include <QComboBox>
#include <QCompleter>
#include <QLineEdit>

#include "analysis/diagnosis/highlights.h"
#include "analysis/ranks/representatives.h"
#include "gui/data/report_file.h"
#include "reports/queries/runs.h"

namespace ampprof::gui {
namespace {

constexpr int kLengthOfLabel = 20;  // width of a box with many runs, in characters

}  // namespace

QComboBox* makeRunBox(const ReportFile& file, std::optional<std::int64_t> chosen, QWidget* parent) {
  auto* box = new QComboBox(parent);
  box->setAccessibleName("Run");
  for (const queries::RunRow& run : file.runs()) {
    box->addItem(QString::fromStdString(file.label(run)), static_cast<qlonglong>(run.run));
  }
  if (chosen) box->setCurrentIndex(box->findData(static_cast<qlonglong>(*chosen)));
  letTypeWhereMany(box);
  return box;
}

QComboBox* makeRunBox(const ReportFile& file, QWidget* parent) {
  const auto run = analysis::run_of_interest(file.runs());
  return makeRunBox(file, run ? std::optional(run->run) : std::nullopt, parent);
}

bool holdsManyRanks(const ReportFile& file) { return analysis::holds_many_ranks(file.runs()); }

void letTypeWhereMany(QComboBox* box) {
  if (box->count() <= static_cast<int>(analysis::kMostRanksListed)) return;
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);  // avoids measuring all items
  box->setMinimumContentsLength(kLengthOfLabel);
  box->setEditable(true);
  box->setInsertPolicy(QComboBox::NoInsert);
  box->completer()->setCompletionMode(QCompleter::PopupCompletion);
  box->completer()->setFilterMode(Qt::MatchContains);
  QObject::connect(box->lineEdit(), &QLineEdit::editingFinished, box,
                   // Resets a text that is not the name of an item.
                   [box] { box->setEditText(box->itemText(box->currentIndex())); });
}

}  // namespace ampprof::gui
