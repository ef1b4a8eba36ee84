// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>

class QWidget;

namespace ampprof::gui {

class ReportFile;

/// Shows the command that runs a report's program again with a remedy, as `ampprof advise --only` names it. The user
/// starts it there; `confirmed` is called once the report holds what became of it.
void openRemedyDialog(const ReportFile& file, const QString& remedy, QWidget* parent,
                      const std::function<void()>& confirmed);

}  // namespace ampprof::gui
