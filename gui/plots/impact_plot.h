// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "gui/data/impact_dot.h"

class QCPGraph;
class QCustomPlot;

namespace ampprof::gui {

/// Plots what call sites change the loss by against the time that they take, both on logarithmic axes. A filled dot is
/// marked as FP32; a ring is around the one that is selected. Left and right move a frame to the next dot by time, up
/// and down to the next by change of the loss; a tool tip and screen readers tell its values; Enter chooses it.
class ImpactPlot : public QWidget {
  Q_OBJECT

 public:
  explicit ImpactPlot(QWidget* parent = nullptr);

  /// `of`: whose time it is, "the GPU" or "the CPU". The axes stay as they are where the same call sites are drawn
  /// again.
  void draw(std::vector<ImpactDot> dots, const QString& of);
  void select(const QString& call_site);
  /// Returns where the dot of a call site is; empty where it has none.
  std::optional<QPoint> placeOf(const QString& call_site) const;

 signals:
  /// The user chose a dot by a click or by Enter: its call site, as in OpRow.
  void siteChosen(const QString& call_site);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QPointF pixelOf(const ImpactDot& dot) const;
  /// Returns the dot next to a place; null where none is near.
  const ImpactDot* dotAt(const QPoint& place) const;
  const ImpactDot* dotOf(const QString& call_site) const;
  /// Returns whether the key means something to the plot.
  bool takeKey(int key);
  /// Moves the frame by one in the order of a figure, to the larger or smaller one; without a frame to the
  /// selected dot, or else the first.
  void moveFrame(double ImpactDot::*figure, bool is_upward);
  void showFrame();

  QCustomPlot* plot_;
  QCPGraph* ring_ = nullptr;   ///< around what is selected; the plot owns it
  QCPGraph* frame_ = nullptr;  ///< around the dot that keys act on; the plot owns it
  std::vector<ImpactDot> dots_;
  QString selected_;
  QString framed_;  ///< call site; "" before the first key
};

}  // namespace ampprof::gui
