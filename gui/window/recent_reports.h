// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QStringList>
#include <vector>

namespace ampprof::gui {

/// Returns the paths of up to ten reports, the most recently opened first. The paths are stored in the user's settings.
QStringList recentReports();
void rememberReport(const QString& path);

/// A recently opened report, with the current state of its file.
struct RecentReport {
  QString path;
  bool is_there = false;
  qint64 bytes = 0;
  QDateTime changed = {};
};

/// Reads the sizes and times of the files. Call it on another thread, since the disk may be slow.
std::vector<RecentReport> lookedAt(const QStringList& paths);

}  // namespace ampprof::gui
