// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/run_box.h"

#include <QComboBox>

#include "views/run_choice.h"
#include "views/views.h"

namespace ampprof::gui {

QComboBox* makeRunBox(const std::vector<queries::RunRow>& runs, const std::optional<queries::RunRow>& chosen,
                      QWidget* parent) {
  auto* box = new QComboBox(parent);
  box->setAccessibleName("Run");
  for (const queries::RunRow& run : runs) {
    box->addItem(QString::fromStdString(views::label_of(run, runs)), static_cast<qlonglong>(run.run));
  }
  if (chosen) box->setCurrentIndex(box->findData(static_cast<qlonglong>(chosen->run)));
  return box;
}

}  // namespace ampprof::gui
