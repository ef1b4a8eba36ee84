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

/// Shows the op calls of a run over time for each thread, coloured by precision, and the GPU activities that they
/// launched.
///
/// Opens at the recorded steps. The key Home shows the whole run, with the time before and after the recorded steps.
///
/// Reads summaries of long spans and single calls of short spans; one reading at a time. Reads more than the visible
/// span, so that panning shows something at once.
class TimelinePage : public Page {
  Q_OBJECT

 public:
  explicit TimelinePage(std::shared_ptr<const ReportFile> file, QWidget* parent = nullptr);

  void open() override;
  QString command() const override;
  void showSteps(const std::optional<queries::StepSpan>& steps) override;
  void showPlace(const RunPlace& place) override;

  /// Tells whether the picture covers the visible span and no reading is in progress.
  bool isFilled() const;
  TimelineCanvas& canvas() { return *canvas_; }

 signals:
  /// Emitted when another picture is shown.
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
  /// Offers to filter other pages by the steps that a span touches, if any.
  void offerSteps(const TimeSpan& span);
  void focus();
  /// Moves the view to the step in wanted_ if the shown run is that of wanted_.
  void focusWanted();
  void itemChosen(const TimelineItem& item);
  /// Returns the ids of the selected call site in this run.
  std::set<SiteInStep> selectedPlaces() const;

  QComboBox* run_;
  QStackedWidget* stack_;  ///< shows the canvas, or a sentence if there is nothing to draw
  QLabel* nothing_;
  TimelineCanvas* canvas_;
  TimelineLegend* of_streams_;      ///< hidden if the run has no streams
  QLabel* line_;                    ///< text about the measured span or the current item
  QPushButton* to_steps_;           ///< hidden unless a span is measured
  queries::StepSpan offered_;       ///< steps that to_steps_ offers
  std::optional<RunPlace> wanted_;  ///< run and step to show once the run is read
  QTimer soon_;                     ///< delays reading the next picture until the view has not changed for a moment
  bool is_open_ = false;
  bool is_reading_ = false;
  int asked_ = 0;     ///< number of requested runs
  int measured_ = 0;  ///< number of requested texts for line_
};

}  // namespace ampprof::gui
