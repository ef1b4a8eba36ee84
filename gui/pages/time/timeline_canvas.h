// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "gui/pages/time/timeline_scene.h"

namespace ampprof::gui {

/// Draws a timeline, and handles keys and mouse. Does not read data: its owner supplies pictures when the view changes.
class TimelineCanvas : public QWidget {
  Q_OBJECT

 public:
  explicit TimelineCanvas(QWidget* parent = nullptr);

  /// Shows another run: its recorded steps, or all of the run if it has no recorded step. `run` must not be null.
  void showRun(std::shared_ptr<const TimelineRun> run);
  void showPicture(std::shared_ptr<const TimelinePicture> picture);
  /// Outlines the calls from `places`, which are call sites, and the activities that these calls launched.
  void select(std::set<SiteInStep> places);
  void focus(const TimeSpan& span);
  /// Makes an item the current one, from which the arrow keys step.
  void setCurrent(const TimelineItem& item);
  void clearMeasured();

  /// Returns the run; null before the first showRun().
  const TimelineRun* run() const { return scene_.run.get(); }
  const TimelineScene& scene() const { return scene_; }
  /// Returns the width of the column of track names, which is left of the time axis, in pixels.
  int gutter() const;
  /// Returns the y coordinate of the middle of a track's items.
  double middleOf(std::size_t track) const;

 signals:
  /// Emitted when the visible span has changed.
  void viewChanged();
  /// Emitted when the user selects an item.
  void chosen(const TimelineItem& item);
  void measured(const TimeSpan& span);
  /// Emitted when the user clears the measured span.
  void measureCleared();
  /// Emitted when the user presses Enter to filter other pages by the measured span.
  void measuredTaken();
  /// Emitted when the user presses F to focus. The owner, which knows the selection, then calls focus().
  void focusWanted();
  /// Emitted with a sentence about the last action.
  void noted(const QString& sentence);

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;

 private:
  TimelineLayout layout() const { return {fontMetrics(), *scene_.run, height()}; }
  double xOf(const QPointF& place) const { return place.x() - gutter(); }
  double zoomPlace() const;
  void zoom(double factor, double x);
  void pan(double pixels);
  void changed();
  void measure(const TimeSpan& span);
  void choose(const TimelineItem& item);
  void chooseAt(const QPointF& place);
  void stepToItem(int by);
  void stepToTrack(int by);
  QString textAt(const QPointF& place) const;

  TimelineScene scene_;
  std::optional<double> pressed_x_;
  bool is_dragging_ = false;
};

}  // namespace ampprof::gui
