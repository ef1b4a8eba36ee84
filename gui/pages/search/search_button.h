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

/// Reads the subject of a search, called on another thread; returns an empty value if there is none. May throw;
/// SearchButton::failed() then reports the message.
using ReadSubject = std::function<std::optional<SearchSubject>()>;

/// A button that opens the search dialog. A button has only one search at a time.
class SearchButton : public QPushButton {
  Q_OBJECT

 public:
  /// Creates a button, which is disabled if `file` is null.
  SearchButton(std::shared_ptr<const ReportFile> file, ReadSubject read, QWidget* parent = nullptr);

  /// Sets the subject of the next search. A search in progress continues.
  void setSubject(ReadSubject read);

 public slots:
  /// Opens the dialog, or brings it to the front.
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
