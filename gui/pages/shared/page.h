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

/// A page of a report, listed in the sidebar.
///
/// Reads its data on another thread when it is first opened. All pages of a report share the selection.
class Page : public QWidget {
  Q_OBJECT

 public:
  explicit Page(std::shared_ptr<const ReportFile> file, QWidget* parent = nullptr)
      : QWidget(parent), file_(std::move(file)) {}
  ~Page() override;

  /// Reads and shows the data, unless that was done before.
  virtual void open() = 0;
  /// Replaces the report by a reloaded version, which is shown now or when the page is opened. Keeps the user's
  /// choices.
  void renew(std::shared_ptr<const ReportFile> file) {
    file_ = std::move(file);
    renewed();
  }
  /// Returns the field that Ctrl+F focuses; null if the page has no filter.
  virtual QWidget* filterField() { return nullptr; }
  /// Returns the `ampprof` command that prints what the page shows.
  virtual QString command() const = 0;
  /// Returns the table of the page as CSV with exact values; empty if the page has no table.
  virtual std::optional<std::string> csv() const { return std::nullopt; }

  /// Tells whether showSteps() has an effect.
  virtual bool takesSteps() const { return false; }
  /// Restricts the data to op calls of `steps`, now or when the page is opened; empty for all steps.
  virtual void showSteps(const std::optional<queries::StepSpan>& /*steps*/) {}

  /// Shows a run, and a step of it if given, now or when the page is opened. Ignored by pages that show all runs.
  virtual void showPlace(const RunPlace& /*place*/) {}

  /// Selects a call site (an OpRow::call_site), now or once the data is read; "" clears the selection. Emits no signal.
  void select(const QString& call_site) {
    if (call_site == selection_) return;
    selection_ = call_site;
    showSelection();
  }

  /// Tells whether a readInBackground() is in progress.
  bool isReading() const { return !readings_.empty(); }
  /// Tells whether the user cancelled a readInBackground() that has not been restarted.
  bool isCancelled() const { return is_cancelled_; }
  /// Cancels each readInBackground() in progress and drops the results.
  void cancelReading();
  /// Restarts what the user cancelled.
  void readAgain();

 signals:
  /// Emitted when the user selected a call site, or cleared the selection ("").
  void selected(const QString& call_site);
  void commandChanged();
  /// Emitted with an error message that also says what to do.
  void failed(const QString& sentence);
  /// Emitted with the path of a report that was recorded from this page and should be opened.
  void reportMade(const QString& path);
  /// Emitted when the user follows a link to a view of `ampprof show`.
  void viewWanted(const QString& view);
  /// Emitted when the user wants to see a run or step in the page of a view of `ampprof show`.
  void placeWanted(const QString& view, const RunPlace& place);
  /// Emitted when the user wants to restrict all pages to these steps.
  void stepsWanted(const queries::StepSpan& steps);
  /// Emitted when isReading() or isCancelled() has changed.
  void readingChanged();

 protected:
  /// Text of a label while the page is being read. cancelReading() replaces it.
  static constexpr const char* kReading = "Reading …";

  /// Runs `work()` like inBackground(). isReading() is true meanwhile. If the user cancels, interrupts the queries of
  /// `work`, and calls neither `done` nor `failed`.
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
  /// Called by cancelReading(). Override it to reset the state and the texts of a read in progress.
  virtual void cancelled() {}
  /// Called by readAgain() to restart what was cancelled.
  virtual void reread() { renewed(); }

  /// Returns the selected call site, "" for none.
  const QString& selection() const { return selection_; }
  /// Selects a call site that the user chose, and emits selected().
  void choose(const QString& call_site) {
    if (call_site == selection_) return;
    selection_ = call_site;
    emit selected(call_site);
  }
  /// Focuses a widget of the page, but only if the focus is already in this page.
  void offerFocus(QWidget* part) const;
  /// Shows selection() in the page. Call it again when rows arrive later.
  virtual void showSelection() {}
  const std::shared_ptr<const ReportFile>& report() const { return file_; }
  /// Tells whether to read again now. If the page is hidden, clears `is_open`, so that open() reads later.
  bool readsAgain(bool& is_open) const { return is_open = is_open && isVisible(); }
  /// Called when report() was replaced. By default, does nothing: the page keeps its old data.
  virtual void renewed() {}

 private:
  std::stop_token beginReading();
  /// Returns false if the reading was cancelled.
  bool endReading(const std::stop_token& stop);
  void setCancelled(bool is_cancelled);

  std::shared_ptr<const ReportFile> file_;
  QString selection_;
  std::vector<std::stop_source> readings_;
  bool is_cancelled_ = false;
};

}  // namespace ampprof::gui
