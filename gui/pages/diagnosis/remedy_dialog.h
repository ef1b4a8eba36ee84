// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>

class QWidget;

namespace ampprof::gui {

class ReportFile;

/// Opens a dialog with the command that runs a report's program with a remedy, a name for `ampprof advise --only`. The
/// user can start the command there. Calls `confirmed` once the report has the result.
void openRemedyDialog(const ReportFile& file, const QString& remedy, QWidget* parent,
                      const std::function<void()>& confirmed);

}  // namespace ampprof::gui
