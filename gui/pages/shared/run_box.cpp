// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/shared/run_box.h"

#include <QComboBox>
#include <QCompleter>
#include <QLineEdit>

#include "analysis/ranks/representatives.h"

namespace ampprof::gui {
namespace {

constexpr int kLengthOfLabel = 20;  // characters

}  // namespace

QComboBox* makeRunBox(const ReportFile& file, const std::optional<queries::RunRow>& chosen, QWidget* parent) {
  auto* box = new QComboBox(parent);
  box->setAccessibleName("Run");
  for (const queries::RunRow& run : file.runs()) {
    box->addItem(QString::fromStdString(file.label(run)), static_cast<qlonglong>(run.run));
  }
  if (chosen) box->setCurrentIndex(box->findData(static_cast<qlonglong>(chosen->run)));
  letTypeWhereMany(box);
  return box;
}

void letTypeWhereMany(QComboBox* box) {
  if (box->count() <= static_cast<int>(analysis::kMostRanksListed)) return;
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);  // measures no item
  box->setMinimumContentsLength(kLengthOfLabel);
  box->setEditable(true);
  box->setInsertPolicy(QComboBox::NoInsert);
  box->completer()->setCompletionMode(QCompleter::PopupCompletion);
  box->completer()->setFilterMode(Qt::MatchContains);
  QObject::connect(box->lineEdit(), &QLineEdit::editingFinished, box,
                   [box] { box->setEditText(box->itemText(box->currentIndex())); });  // what is no run is forgotten
}

}  // namespace ampprof::gui
