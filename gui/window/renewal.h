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

/// Reads a report anew while runs of it go on and a widget shows it: each second, or as seldom as a twentieth of the
/// time allows.
class Renewal : public QObject {
  Q_OBJECT

 public:
  /// `shown`: the widget; the renewal is its child.
  Renewal(const ReportFile& file, QWidget* shown);

 signals:
  /// The report holds more than it did.
  void grown(std::shared_ptr<const ampprof::gui::ReportFile> file);

 private:
  /// Sizes and times of the report and its log: neither is read where they are as before.
  using Stamp = std::vector<std::pair<std::uintmax_t, std::filesystem::file_time_type>>;

  Stamp stamp() const;
  void look();

  QWidget* shown_;
  std::filesystem::path path_;
  Stamp seen_;
  QTimer timer_;
};

}  // namespace ampprof::gui
