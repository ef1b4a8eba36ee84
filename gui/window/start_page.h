// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

class QComboBox;
class QLabel;
class QTreeWidget;
class QVBoxLayout;

namespace ampprof::gui {

class CommandRow;
struct RecentReport;
struct Sample;

/// Stands in a window without a report: shows reports that were opened before, and how to record one.
class StartPage : public QWidget {
  Q_OBJECT

 public:
  explicit StartPage(QWidget* parent = nullptr);

  /// Looks again which reports were opened last, and which of them are still there.
  void refresh();

 signals:
  /// The user wants to choose files.
  void filesWanted();
  void reportWanted(const QString& path);
  /// The rows of refresh() are there.
  void refreshed();

 private:
  void addRecent(QVBoxLayout* column);
  void addCommands(QVBoxLayout* column);
  void addSamples(QVBoxLayout* column);
  void showReports(const std::vector<RecentReport>& reports);
  void showSamples(const std::vector<Sample>& samples);

  QTreeWidget* recent_;
  QWidget* of_samples_;
  QComboBox* sample_;
  CommandRow* command_;  ///< that records the sample
};

}  // namespace ampprof::gui
