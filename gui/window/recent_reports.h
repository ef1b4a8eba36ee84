// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QStringList>
#include <vector>

namespace ampprof::gui {

/// Paths of the reports that were opened last, the newest first, at most ten; kept in the user's settings.
QStringList recentReports();
void rememberReport(const QString& path);

/// A report that was opened before, as its file is now.
struct RecentReport {
  QString path;
  bool is_there = false;
  qint64 bytes = 0;
  QDateTime changed = {};
};

/// Looks at the files, which may be on a slow disk, so call it on another thread.
std::vector<RecentReport> lookedAt(const QStringList& paths);

}  // namespace ampprof::gui
