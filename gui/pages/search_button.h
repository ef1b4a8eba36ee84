// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QPushButton>
#include <memory>

#include "gui/data/report_file.h"

namespace ampprof::gui {

class SearchDialog;

/// Opens the search by runs, of which a report has one at a time. It is about the run that `ampprof advise` takes.
class SearchButton : public QPushButton {
  Q_OBJECT

 public:
  /// Without a file there is nothing to search.
  explicit SearchButton(std::shared_ptr<const ReportFile> file, QWidget* parent = nullptr);

 public slots:
  /// Opens it, or brings it to the front.
  void search();

 signals:
  /// Passes SearchDialog::taken on.
  void taken(const QStringList& lines, const QString& because);
  void failed(const QString& sentence);

 private:
  void open(std::shared_ptr<const Board> board);

  std::shared_ptr<const ReportFile> file_;
  QPointer<SearchDialog> dialog_;
};

}  // namespace ampprof::gui
