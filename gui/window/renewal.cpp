// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/renewal.h"

#include <QElapsedTimer>
#include <QWidget>
#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

#include "gui/data/background.h"
#include "gui/data/report_file.h"
#include "reports/queries/runs.h"

namespace ampprof::gui {
namespace {

constexpr int kInterval = 1000;    // minimum time between two checks of the report's files, in ms
constexpr int kShareDivisor = 20;  // loading takes at most 1/20 of the time

bool hasEnded(const ReportFile& file) { return std::ranges::all_of(file.runs(), &queries::RunRow::has_ended); }

}  // namespace

Renewal::Renewal(const ReportFile& file, QWidget* shown)
    : QObject(shown), shown_(shown), path_(file.path()), seen_(stamp()) {
  timer_.setSingleShot(true);
  connect(&timer_, &QTimer::timeout, this, &Renewal::look);
  if (!hasEnded(file)) timer_.start(kInterval);
}

Renewal::Stamp Renewal::stamp() const {
  Stamp stamp;
  for (const char* end : {"", "-wal"}) {
    std::error_code gone;
    const std::filesystem::path path = path_.string() + end;
    const std::uintmax_t size = std::filesystem::file_size(path, gone);
    stamp.emplace_back(gone ? 0 : size, std::filesystem::last_write_time(path, gone));
  }
  return stamp;
}

void Renewal::look() {
  const Stamp now = stamp();
  if (!shown_->isVisible() || now == seen_) return timer_.start(kInterval);
  QElapsedTimer begun;
  begun.start();
  inBackground(
      this, [path = path_]() -> std::shared_ptr<const ReportFile> { return std::make_shared<ReportFile>(path); },
      [this, begun, now](std::shared_ptr<const ReportFile>&& file) {
        seen_ = now;
        const int pause = static_cast<int>(begun.elapsed()) * kShareDivisor;
        if (!hasEnded(*file)) timer_.start(std::max(kInterval, pause));
        emit grown(std::move(file));
      },
      // Tries again: the report is locked, or just being replaced.
      [this](const QString&) { timer_.start(kInterval); });
}

}  // namespace ampprof::gui
