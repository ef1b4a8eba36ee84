// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/recent_reports.h"

#include <QFileInfo>
#include <QSettings>

namespace ampprof::gui {
namespace {

constexpr const char* kRecentKey = "recent_reports";
constexpr int kMost = 10;

}  // namespace

QStringList recentReports() { return QSettings().value(kRecentKey).toStringList(); }

void rememberReport(const QString& path) {
  QStringList paths = recentReports();
  const QString whole = QFileInfo(path).absoluteFilePath();
  paths.removeAll(whole);
  paths.prepend(whole);
  QSettings().setValue(kRecentKey, paths.mid(0, kMost));
}

std::vector<RecentReport> lookedAt(const QStringList& paths) {
  std::vector<RecentReport> reports;
  for (const QString& path : paths) {
    const QFileInfo file(path);
    reports.push_back({path, file.isFile(), file.size(), file.lastModified()});
  }
  return reports;
}

}  // namespace ampprof::gui
