// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/delegates/exponent_delegate.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QHelpEvent>
#include <QToolTip>

#include "gui/models/plain_tip.h"
#include "gui/models/view_model.h"

namespace ampprof::gui {
namespace {

constexpr int kAxisMargin = 4;

const views::Json& json_of(const QModelIndex& index) {
  return index.data(ViewModel::RecordRole).value<const views::Record*>()->json;
}

/// Returns the histogram in a record of ranges_view(); empty if no exponents were recorded.
std::optional<ExponentHistogram> histogram_of(const views::Json& record) {
  const views::Json& exponents = views::at_key(record, "exponents");
  if (!exponents.is_object()) return std::nullopt;
  ExponentHistogram histogram;
  if (exponents["lowest"].is_null()) return histogram;
  int exponent = exponents["lowest"];
  for (const auto& count : exponents["counts"]) {
    histogram.counts[ExponentHistogram::bin_of(exponent++)] += count.get<std::int64_t>();
  }
  return histogram;
}

QString headroom_text(const views::Json& headroom) {
  if (!headroom.is_number()) return "headroom unknown";
  return QString("headroom: 65504 is 2^%1 times the largest value").arg(headroom.get<double>());
}

}  // namespace

ExponentAxis ExponentDelegate::axisIn(const QRect& cell) {
  return {static_cast<double>(cell.left() + kAxisMargin), static_cast<double>(cell.width() - 2 * kAxisMargin)};
}

bool ExponentDelegate::isHeat(const QModelIndex& index) const {
  return is_heat_map_ && index.data(ViewModel::DrawingRole).toBool();
}

void ExponentDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  if (!isHeat(index)) return ToneDelegate::paint(painter, option, index);
  QStyleOptionViewItem cell = option;
  initStyleOption(&cell, index);
  QStyle* style = cell.widget ? cell.widget->style() : QApplication::style();
  style->drawPrimitive(QStyle::PE_PanelItemViewItem, &cell, painter, cell.widget);
  const auto histogram = histogram_of(json_of(index));
  if (!histogram) return;
  const ExponentAxis axis = axisIn(cell.rect);
  const bool is_selected = cell.state & QStyle::State_Selected;
  // Leaves a margin, so that the highlight of a selected row is visible above and below.
  const QRect row = is_selected ? cell.rect.adjusted(0, 3, 0, -3) : cell.rect;
  paintHeat(*painter, row, axis, ExponentAxis::sharesOf(ExponentAxis::countsOf(*histogram)));
  paintLimits(*painter, cell.rect, axis, formats_);
}

bool ExponentDelegate::helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                                 const QModelIndex& index) {
  if (!isHeat(index) || event->type() != QEvent::ToolTip) {
    return ToneDelegate::helpEvent(event, view, option, index);
  }
  const QString text = toolTip(index, axisIn(option.rect), event->pos().x());
  QToolTip::showText(event->globalPos(), text.isEmpty() ? text : plainTip(text), view);
  return true;
}

QString ExponentDelegate::toolTip(const QModelIndex& index, const ExponentAxis& axis, double x) {
  const views::Json& record = json_of(index);
  const auto histogram = histogram_of(record);
  const auto cell = axis.cellAt(x);
  if (!histogram || !cell) return {};
  QStringList lines{QString::fromStdString(views::at_key(record, "call_site").get<std::string>())};
  lines << ExponentAxis::textOf(*cell, ExponentAxis::countsOf(*histogram));
  lines << headroom_text(views::at_key(record, "headroom_log2"));
  return lines.join('\n');
}

}  // namespace ampprof::gui
