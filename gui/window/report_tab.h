// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "gui/pages/page.h"

class QLabel;
class QTabWidget;

namespace ampprof::gui {

/// Everything that a window shows of one report: a banner where something is missing, and the pages.
class ReportTab : public QWidget {
  Q_OBJECT

 public:
  explicit ReportTab(std::shared_ptr<const ReportFile> file, QWidget* parent = nullptr);

  const ReportFile& file() const { return *file_; }
  Page* page() const;
  /// The page that shows a view of `ampprof show`; nothing happens where none does.
  void showView(const QString& view);
  void showPage(int place);

 signals:
  void commandChanged(const QString& command);
  void failed(const QString& sentence);

 private:
  void add(Page* page, const QString& title, const QString& view);
  void pageChosen();

  std::shared_ptr<const ReportFile> file_;
  QLabel* banner_;
  QTabWidget* pages_;
};

}  // namespace ampprof::gui
