// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/diagnosis/remedy_dialog.h"

#include "gui/data/confirming_run.h"
#include "gui/data/report_file.h"
#include "gui/pages/shared/command_dialog.h"
#include "reports/text/shell_text.h"

namespace ampprof::gui {

void openRemedyDialog(const ReportFile& file, const QString& remedy, QWidget* parent,
                      const std::function<void()>& confirmed) {
  const std::string command =
      text::shell_text({ampprofProgram(), "advise", file.path().string(), "--confirm", "--only", remedy.toStdString()});
  auto* dialog = new CommandDialog("Confirm a remedy", QString::fromStdString(command), parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  QObject::connect(dialog, &CommandDialog::succeeded, parent, [dialog, confirmed] {
    dialog->accept();
    confirmed();
  });
  dialog->open();
}

}  // namespace ampprof::gui
