// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "gui/data/impact_dot.h"

class QCPGraph;
class QCustomPlot;

namespace ampprof::gui {

/// Plots the loss change of call sites against their time, on logarithmic axes. Filled dots are marked as FP32; a ring
/// is around the dot of the selected call site. Left and Right move a frame to the next dot by time, Up and Down by
/// loss change. A tool tip and screen readers give the values of the framed dot; Enter selects its call site.
class ImpactPlot : public QWidget {
  Q_OBJECT

 public:
  explicit ImpactPlot(QWidget* parent = nullptr);

  /// Draws other dots. `of`: the processor whose times the dots show, "the GPU" or "the CPU". Keeps the axis ranges if
  /// the call sites are the same as before.
  void draw(std::vector<ImpactDot> dots, const QString& of);
  void select(const QString& call_site);
  /// Returns the position of a call site's dot; empty if the call site has no dot.
  std::optional<QPoint> placeOf(const QString& call_site) const;

 signals:
  /// Emitted when the user selects a dot with a click or Enter; `call_site` is an OpRow::call_site.
  void siteChosen(const QString& call_site);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QPointF pixelOf(const ImpactDot& dot) const;
  /// Returns the dot closest to a position; null if none is near.
  const ImpactDot* dotAt(const QPoint& place) const;
  const ImpactDot* dotOf(const QString& call_site) const;
  /// Handles a key. Returns false if the key has no effect in the plot.
  bool takeKey(int key);
  /// Moves the frame to the dot with the next larger or smaller `figure`; if there is no frame yet, to the selected dot
  /// or else the first one.
  void moveFrame(double ImpactDot::*figure, bool is_upward);
  void showFrame();

  QCustomPlot* plot_;
  QCPGraph* ring_ = nullptr;   ///< around the selected dot; owned by the plot
  QCPGraph* frame_ = nullptr;  ///< around the dot to which key actions apply; owned by the plot
  std::vector<ImpactDot> dots_;
  QString selected_;
  QString framed_;  ///< call site of the framed dot; "" if there is none
};

}  // namespace ampprof::gui
