// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "gui/data/background.h"
#include "gui/data/report_file.h"
#include "gui/data/run_place.h"
#include "reports/store/cancel_scope.h"

namespace ampprof::gui {

/// One view of a report: a line of its sidebar.
///
/// A page reads what it shows when it is first opened, on another thread. All pages of a report share the selection.
class Page : public QWidget {
  Q_OBJECT

 public:
  explicit Page(std::shared_ptr<const ReportFile> file, QWidget* parent = nullptr)
      : QWidget(parent), file_(std::move(file)) {}
  ~Page() override;

  /// Reads and shows, unless it did before.
  virtual void open() = 0;
  /// Shows what a newer reading of the report holds, now or when it is opened. Keeps what the user chose.
  void renew(std::shared_ptr<const ReportFile> file) {
    file_ = std::move(file);
    renewed();
  }
  /// Returns the field that Ctrl+F goes to; null on a page that has nothing to filter.
  virtual QWidget* filterField() { return nullptr; }
  /// The `ampprof` command that prints what is shown now.
  virtual QString command() const = 0;
  /// Returns what is shown as CSV, exact; empty on a page without a table.
  virtual std::optional<std::string> csv() const { return std::nullopt; }

  /// Whether showSteps() changes what is shown.
  virtual bool takesSteps() const { return false; }
  /// Shows what op calls of these steps alone come to, now or when it is opened; of all where it is empty.
  virtual void showSteps(const std::optional<queries::StepSpan>& /*steps*/) {}

  /// Shows a run, and a step of it where one is named, now or when it is opened. A page of all runs ignores it.
  virtual void showPlace(const RunPlace& /*place*/) {}

  /// Selects a call site (as in OpRow), now or once it is read; "" for none. Emits nothing.
  void select(const QString& call_site) {
    if (call_site == selection_) return;
    selection_ = call_site;
    showSelection();
  }

  /// Returns whether readInBackground() works for this page.
  bool isReading() const { return !readings_.empty(); }
  /// Returns whether the user cancelled a reading that was not begun again.
  bool isCancelled() const { return is_cancelled_; }
  /// Ends what is read for this page and drops it.
  void cancelReading();
  /// Begins a reading that was cancelled again.
  void readAgain();

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
  /// isReading() or isCancelled() has changed.
  void readingChanged();

 protected:
  /// The text of a label until the page is read; cancelReading() changes it.
  static constexpr const char* kReading = "Reading …";

  /// Runs `work()` as inBackground() does. While it runs, isReading(). Once the user cancels it, its queries end, and
  /// neither `done` nor `failed` is called.
  template <class Work, class Done, class Failed>
  void readInBackground(Work work, Done done, Failed failed) {
    const std::stop_token stop = beginReading();
    inBackground(
        this,
        [stop, work = std::move(work)] {
          const store::CancelScope scope(stop);
          return work();
        },
        [this, stop, done = std::move(done)](auto&& result) {
          if (endReading(stop)) done(std::forward<decltype(result)>(result));
        },
        [this, stop, failed = std::move(failed)](const QString& sentence) {
          if (endReading(stop)) failed(sentence);
        });
  }
  /// A reading was cancelled. A page that keeps a state while it reads clears it.
  virtual void cancelled() {}
  /// Reads again what was cancelled.
  virtual void reread() { renewed(); }

  /// The call site that is selected, "" for none.
  const QString& selection() const { return selection_; }
  /// The user chose it here.
  void choose(const QString& call_site) {
    if (call_site == selection_) return;
    selection_ = call_site;
    emit selected(call_site);
  }
  /// Gives a part of the page the keyboard focus, unless the focus is elsewhere in the window.
  void offerFocus(QWidget* part) const;
  /// Shows selection() where the page has it. To be called again where rows come later.
  virtual void showSelection() {}
  const std::shared_ptr<const ReportFile>& report() const { return file_; }
  /// Returns whether a page that has read its report reads it again now. One that is hidden does so when it is opened.
  bool readsAgain(bool& is_open) const { return is_open = is_open && isVisible(); }
  /// report() is another one. A page that does nothing goes on to show what it has read.
  virtual void renewed() {}

 private:
  std::stop_token beginReading();
  /// Returns false for a reading that was cancelled.
  bool endReading(const std::stop_token& stop);
  void setCancelled(bool is_cancelled);

  std::shared_ptr<const ReportFile> file_;
  QString selection_;
  std::vector<std::stop_source> readings_;
  bool is_cancelled_ = false;
};

}  // namespace ampprof::gui
