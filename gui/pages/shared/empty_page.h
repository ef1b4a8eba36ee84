// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

class QLabel;

namespace ampprof::gui {

class CommandRow;
class ReportFile;
struct PageTitle;

/// Replaces a page for which a report has no data. Tells why the report has no data, what to do, and with which
/// command.
class EmptyPage : public QWidget {
  Q_OBJECT

 public:
  explicit EmptyPage(QWidget* parent = nullptr);

  /// Explains a page of kPageTitles, in the sentences of its view in `ampprof show`.
  void explain(const std::shared_ptr<const ReportFile>& file, const PageTitle& page);

 signals:
  /// Emitted when the command has created this report.
  void reportMade(const QString& path);

 private:
  void say(const QString& reason, const QString& remedy);
  void showCommand(const ReportFile& file, const PageTitle& page);

  QLabel* reason_;
  QLabel* remedy_;
  CommandRow* command_;
  const PageTitle* page_ = nullptr;  ///< the explained page
  int asked_ = 0;                    ///< number of explanations; only the last one is shown
};

}  // namespace ampprof::gui
