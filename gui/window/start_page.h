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

/// The page of a window without a report: a list of recent reports, and commands that record a new report.
class StartPage : public QWidget {
  Q_OBJECT

 public:
  explicit StartPage(QWidget* parent = nullptr);

  /// Reads the recent reports again.
  void refresh();

 signals:
  /// Emitted when the user wants a file dialog.
  void filesWanted();
  void reportWanted(const QString& path);
  /// Emitted when refresh() has updated the rows.
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
  CommandRow* command_;  ///< command that records the selected sample
};

}  // namespace ampprof::gui
