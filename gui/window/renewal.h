// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>
#include <filesystem>
#include <memory>
#include <vector>

class QWidget;

namespace ampprof::gui {

class ReportFile;

/// Reloads a report while its runs are in progress and a widget shows it: every second, or less often if loading would
/// take more than a twentieth of the time.
class Renewal : public QObject {
  Q_OBJECT

 public:
  /// `shown`: the widget that shows the report; it becomes the parent.
  Renewal(const ReportFile& file, QWidget* shown);

 signals:
  /// Emitted with the reloaded report when its file has changed.
  void grown(std::shared_ptr<const ampprof::gui::ReportFile> file);

 private:
  /// Sizes and modification times of the report and its write-ahead log. If they are unchanged, the report is not
  /// reloaded.
  using Stamp = std::vector<std::pair<std::uintmax_t, std::filesystem::file_time_type>>;

  Stamp stamp() const;
  void look();

  QWidget* shown_;
  std::filesystem::path path_;
  Stamp seen_;
  QTimer timer_;
};

}  // namespace ampprof::gui
