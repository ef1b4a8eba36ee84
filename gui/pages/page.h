// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>
#include <memory>

#include "gui/data/report_file.h"

namespace ampprof::gui {

/// One view of a report: a tab of its window.
///
/// A page reads what it shows when it is first opened, on another thread.
class Page : public QWidget {
  Q_OBJECT

 public:
  using QWidget::QWidget;

  /// Reads and shows, unless it did before.
  virtual void open() = 0;
  /// Where Ctrl+F goes; null on a page that has nothing to filter.
  virtual QWidget* filterField() { return nullptr; }
  /// The `ampprof` command that prints what is shown now.
  virtual QString command() const = 0;

 signals:
  void commandChanged();
  /// A sentence for the user: what is wrong, and what to do.
  void failed(const QString& sentence);
  /// A report that was made here and is to be seen.
  void reportMade(const QString& path);
  /// A view of `ampprof show` that has more on something.
  void viewWanted(const QString& view);
};

}  // namespace ampprof::gui
