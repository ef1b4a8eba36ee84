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
/// marked as FP32; a ring is around the one that is selected.
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
  /// The user clicked at a dot: its call site, as in OpRow.
  void siteChosen(const QString& call_site);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QPointF pixelOf(const ImpactDot& dot) const;
  /// Returns the dot next to a place; null where none is near.
  const ImpactDot* dotAt(const QPoint& place) const;

  QCustomPlot* plot_;
  QCPGraph* ring_ = nullptr;  ///< of what is shown; the plot owns it
  std::vector<ImpactDot> dots_;
  QString selected_;
};

}  // namespace ampprof::gui
