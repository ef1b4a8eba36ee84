// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "gui/pages/time/timeline_scene.h"

namespace ampprof::gui {

/// The drawing of a timeline, and the keys and the mouse in it. Reads nothing: who owns it brings pictures when the
/// view changes.
class TimelineCanvas : public QWidget {
  Q_OBJECT

 public:
  explicit TimelineCanvas(QWidget* parent = nullptr);

  /// Shows the whole run. Never null.
  void showRun(std::shared_ptr<const TimelineRun> run);
  void showPicture(std::shared_ptr<const TimelinePicture> picture);
  /// Outlines the calls from these places, and what they launched.
  void select(std::set<SiteInStep> places);
  void focus(const TimeSpan& span);
  /// Puts the keys at an item.
  void setCurrent(const TimelineItem& item);
  void clearMeasured();

  /// Null before the first run.
  const TimelineRun* run() const { return scene_.run.get(); }
  const TimelineScene& scene() const { return scene_; }
  /// Returns the width of the track names, left of all times, in pixels.
  int gutter() const;
  /// The middle of a track's items.
  double middleOf(std::size_t track) const;

 signals:
  /// Another span is visible.
  void viewChanged();
  /// The user chose it.
  void chosen(const TimelineItem& item);
  void measured(const TimeSpan& span);
  /// No span is measured any more.
  void measureCleared();
  /// Enter: what was measured is to be used.
  void measuredTaken();
  /// F: the owner knows what is selected.
  void focusWanted();
  /// A sentence about what was just done.
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
