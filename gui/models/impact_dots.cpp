// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/impact_dots.h"

#include <cmath>

#include "gui/models/board_model.h"
#include "gui/models/plain_tip.h"
#include "reports/text/numbers.h"

namespace ampprof::gui {
namespace {

ImpactDot::Kind kindOf(const BoardLine& line, const QModelIndex& row) {
  if (line.candidates.empty()) return ImpactDot::Kind::Fixed;
  const bool is_marked = row.siblingAtColumn(BoardModel::KeepFp32).data(Qt::CheckStateRole) == Qt::Checked;
  return is_marked ? ImpactDot::Kind::Marked : ImpactDot::Kind::Free;
}

QString tipOf(const ImpactDot& dot, const BoardLine& line) {
  QStringList lines{dot.call_site,
                    "changes the loss by " + QString::fromStdString(text::scientific(dot.change)) +
                        (dot.is_noise ? ", which is within noise" : ""),
                    QString::fromStdString(text::microseconds(dot.us)) + " per step"};
  if (line.fp32_us) lines << "FP32 takes " + QString::fromStdString(text::microseconds(*line.fp32_us)) + " more";
  if (dot.kind == ImpactDot::Kind::Marked) lines << "marked as FP32";
  if (!line.cannot.empty()) lines << QString::fromStdString(line.cannot);
  return plainTip(lines.join('\n'));
}

void add(ImpactDots& dots, const BoardModel& board, const QModelIndex& row) {
  const BoardLine& line = board.line(row);
  const double change = line.loss_change.value_or(0.0);
  ImpactDot dot{
      .call_site = board.callSite(row), .tip = {}, .us = line.gpu_us.value_or(line.time_us), .change = change};
  if (!(change > 0.0) || !std::isfinite(change) || !(dot.us > 0.0)) {
    ++dots.unmeasured;
    return;
  }
  const QVariant heat = row.siblingAtColumn(BoardModel::LossChange).data(MarkedTree::HeatRole);
  dot.kind = kindOf(line, row);
  dot.is_noise = std::isnan(heat.toDouble());
  dot.tip = tipOf(dot, line);
  dots.is_of_gpu = dots.is_of_gpu || line.gpu_us;
  dots.dots.push_back(std::move(dot));
}

}  // namespace

ImpactDots impactDots(const BoardModel& board) {
  ImpactDots dots;
  for (int group = 0; group < board.rowCount(); ++group) {
    const QModelIndex top = board.index(group, 0);
    if (!board.callSite(top).isEmpty()) add(dots, board, top);
    for (int site = 0; site < board.rowCount(top); ++site) add(dots, board, board.index(site, 0, top));
  }
  return dots;
}

}  // namespace ampprof::gui
