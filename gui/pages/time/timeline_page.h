// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <set>

#include "gui/pages/shared/page.h"
#include "gui/pages/time/timeline_canvas.h"

class QComboBox;
class QLabel;
class QPushButton;
class QStackedWidget;

namespace ampprof::gui {

class TimelineLegend;

/// Shows when the op calls of a run were, on each thread, in colours of their precision, and what they made GPUs do.
///
/// It reads summaries of a long span, and the calls of a short one; one reading at a time, and a bit more than is
/// visible, so that panning shows something at once.
class TimelinePage : public Page {
  Q_OBJECT

 public:
  explicit TimelinePage(std::shared_ptr<const ReportFile> file, QWidget* parent = nullptr);

  void open() override;
  QString command() const override;
  void showSteps(const std::optional<queries::StepSpan>& steps) override;
  void showPlace(const RunPlace& place) override;

  /// Returns whether no reading is under way and the picture covers what is visible.
  bool isFilled() const;
  TimelineCanvas& canvas() { return *canvas_; }

 signals:
  /// Another picture is there.
  void shown();

 protected:
  void showSelection() override;
  void reread() override { canvas_->run() == nullptr ? readRun() : readPicture(); }
  void cancelled() override;

 private:
  QWidget* makeBar();
  QWidget* makeLine();
  std::int64_t runId() const;
  void readRun();
  void showRun(std::shared_ptr<const TimelineRun> run);
  bool needsPicture() const;
  void readPicture();
  void measure(const TimeSpan& span);
  /// Offers the steps of a span to the other pages, where it touches any.
  void offerSteps(const TimeSpan& span);
  void focus();
  /// Goes to the step that is wanted of the run that is shown.
  void focusWanted();
  void itemChosen(const TimelineItem& item);
  /// Returns the places that the selected call site has in this run.
  std::set<SiteInStep> selectedPlaces() const;

  QComboBox* run_;
  QStackedWidget* stack_;  ///< the canvas, or a sentence
  QLabel* nothing_;
  TimelineCanvas* canvas_;
  TimelineLegend* of_streams_;      ///< hidden where there is none
  QLabel* line_;                    ///< what was measured or chosen
  QPushButton* to_steps_;           ///< hidden unless a span is measured
  queries::StepSpan offered_;       ///< by it
  std::optional<RunPlace> wanted_;  ///< until its run is here
  QTimer soon_;                     ///< until the next picture is read
  bool is_open_ = false;
  bool is_reading_ = false;
  int asked_ = 0;     ///< runs that were asked for
  int measured_ = 0;  ///< spans and calls that the line was asked for
};

}  // namespace ampprof::gui
