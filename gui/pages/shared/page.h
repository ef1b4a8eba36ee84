// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QString>
#include <QWidget>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "gui/data/report_file.h"
#include "gui/data/run_place.h"

namespace ampprof::gui {

/// One view of a report: a line of its sidebar.
///
/// A page reads what it shows when it is first opened, on another thread. What is selected in one page is selected in
/// all of its report.
class Page : public QWidget {
  Q_OBJECT

 public:
  explicit Page(std::shared_ptr<const ReportFile> file, QWidget* parent = nullptr)
      : QWidget(parent), file_(std::move(file)) {}

  /// Reads and shows, unless it did before.
  virtual void open() = 0;
  /// Shows what a newer reading of the report holds, now or when it is opened. What the user chose stays as it is.
  void renew(std::shared_ptr<const ReportFile> file) {
    file_ = std::move(file);
    renewed();
  }
  /// Where Ctrl+F goes; null on a page that has nothing to filter.
  virtual QWidget* filterField() { return nullptr; }
  /// The `ampprof` command that prints what is shown now.
  virtual QString command() const = 0;
  /// Returns what is shown as CSV, exact; empty where it is no table.
  virtual std::optional<std::string> csv() const { return std::nullopt; }

  /// Whether showSteps() changes what is shown.
  virtual bool takesSteps() const { return false; }
  /// Shows what op calls of these steps alone come to, now or when it is opened; of all where it is empty.
  virtual void showSteps(const std::optional<queries::StepSpan>& /*steps*/) {}

  /// Shows a run, and a step of it where one is named, now or when it is opened. Nothing happens on a page of all runs.
  virtual void showPlace(const RunPlace& /*place*/) {}

  /// Selects a call site (as in OpRow), now or once it is read; "" for none. Emits nothing.
  void select(const QString& call_site) {
    if (call_site == selection_) return;
    selection_ = call_site;
    showSelection();
  }

 signals:
  /// The user selected a call site, or "" for none.
  void selected(const QString& call_site);
  void commandChanged();
  /// A sentence for the user: what is wrong, and what to do.
  void failed(const QString& sentence);
  /// A report that was made here and is to be seen.
  void reportMade(const QString& path);
  /// A view of `ampprof show` that has more on something.
  void viewWanted(const QString& view);
  /// The user wants to see this in the page of a view of `ampprof show`.
  void placeWanted(const QString& view, const RunPlace& place);
  /// The user wants to see these steps alone, in all pages that can.
  void stepsWanted(const queries::StepSpan& steps);

 protected:
  /// The call site that is selected, "" for none.
  const QString& selection() const { return selection_; }
  /// The user chose it here.
  void choose(const QString& call_site) {
    if (call_site == selection_) return;
    selection_ = call_site;
    emit selected(call_site);
  }
  /// Gives a part of the page the keys, unless the user is in another part of the window.
  void offerFocus(QWidget* part) const {
    if (hasFocus() || isAncestorOf(QApplication::focusWidget())) part->setFocus();
  }
  /// Shows selection() where the page has it. To be called again where rows come later.
  virtual void showSelection() {}
  const std::shared_ptr<const ReportFile>& report() const { return file_; }
  /// Returns whether a page that has read its report reads it again now. One that is hidden does so when it is opened.
  bool readsAgain(bool& is_open) const { return is_open = is_open && isVisible(); }
  /// report() is another one. A page that does nothing goes on to show what it has read.
  virtual void renewed() {}

 private:
  std::shared_ptr<const ReportFile> file_;
  QString selection_;
};

}  // namespace ampprof::gui
