// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace ampprof::gui {

/// Paths of the reports that were opened last, the newest first, at most ten; kept in the user's settings.
QStringList recentReports();
void rememberReport(const QString& path);

}  // namespace ampprof::gui
