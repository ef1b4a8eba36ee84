// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QPushButton>
#include <functional>
#include <memory>
#include <optional>

#include "gui/data/report_file.h"
#include "gui/data/search_run.h"

namespace ampprof::gui {

class SearchDialog;

/// Reads what a search is about, in the background; empty where there is nothing. May throw what inBackground() passes
/// on.
using ReadSubject = std::function<std::optional<SearchSubject>()>;

/// Opens the search by runs. One search goes on at a time.
class SearchButton : public QPushButton {
  Q_OBJECT

 public:
  /// Without a file there is nothing to search.
  SearchButton(std::shared_ptr<const ReportFile> file, ReadSubject read, QWidget* parent = nullptr);

  /// From now on it is about something else; a search that goes on stays.
  void setSubject(ReadSubject read);

 public slots:
  /// Opens it, or brings it to the front.
  void search();

 signals:
  /// Forwards SearchDialog::taken.
  void taken(const QStringList& lines, const QString& because);
  void failed(const QString& sentence);

 private:
  void open(SearchSubject subject);

  std::shared_ptr<const ReportFile> file_;
  ReadSubject read_;
  QPointer<SearchDialog> dialog_;
};

}  // namespace ampprof::gui
