// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/decide/board_table.h"

#include <QHeaderView>
#include <algorithm>

#include "gui/data/board.h"
#include "gui/delegates/check_delegate.h"
#include "gui/delegates/heat_delegate.h"
#include "gui/delegates/parts_delegate.h"
#include "gui/delegates/roomy_style.h"
#include "gui/delegates/tie_delegate.h"
#include "gui/pages/shared/name_column.h"
#include "precision/advice/evidence.h"
#include "reports/queries/ops.h"

namespace ampprof::gui {
namespace {

constexpr int kOrderMark = 4;   // pixels to add to a column for the sort indicator
constexpr int kLeastSite = 32;  // minimum width of the call site column, in characters
constexpr int kOfEstimates[] = {BoardModel::Rank, BoardModel::Rounded};

}  // namespace

BoardTable::BoardTable(BoardModel& model, BoardOrder& order, QWidget* parent)
    : QTreeView(parent), model_(model), order_(order) {
  setAccessibleName("Decision board");
  setModel(&order_);
  setUniformRowHeights(true);
  setTextElideMode(Qt::ElideMiddle);  // keeps the op, which is at the end of a call site
  makeRoomy(this, header());
  setAllColumnsShowFocus(true);
  setAlternatingRowColors(true);
  setSortingEnabled(true);
  sortByColumn(BoardModel::LossChange, Qt::AscendingOrder);
  makeDelegates();
  for (const int column : kOfEstimates) setColumnHidden(column, true);
  setColumnHidden(BoardModel::MeanChange, true);  // the details show the mean for the current row
  header()->setStretchLastSection(false);
  // Next to the call site, the check boxes stay visible however many columns are shown.
  header()->moveSection(BoardModel::KeepFp32, BoardModel::Site + 1);
  connect(header(), &QHeaderView::sectionResized, this, [this](int column) {
    if (column != BoardModel::Site) fitSites();
  });
  connect(header(), &QHeaderView::sortIndicatorChanged, this, &BoardTable::sayOrder);
}

void BoardTable::makeDelegates() {
  auto* heat = new HeatDelegate(this);
  for (const int column :
       {BoardModel::LossChange, BoardModel::MeanChange, BoardModel::Overflows, BoardModel::Headroom}) {
    setItemDelegateForColumn(column, heat);
  }
  setItemDelegateForColumn(BoardModel::Rank, new TieDelegate(this));
  setItemDelegateForColumn(BoardModel::Rounded, new PartsDelegate(this));
  setItemDelegateForColumn(BoardModel::KeepFp32, new CheckDelegate(this));
}

void BoardTable::showColumnsFor(const Board* board) {
  setColumnHidden(BoardModel::CompiledTime, board == nullptr || board->compiled() == nullptr);
  // Hides columns without values, which leaves space for check boxes. Inherited errors need a run with a shadow; FP32
  // times need an FP32 run in the report.
  const auto has_inherited = [](const queries::OpRow& op) { return op.inherited.has_value(); };
  const bool is_known = board != nullptr;
  setColumnHidden(BoardModel::InheritedError, is_known && std::ranges::none_of(board->evidence().ops, has_inherited));
  setColumnHidden(BoardModel::Fp32Time, is_known && board->evidence().plain.empty());
  const bool has_estimates = board != nullptr && orderingOf(*board) == BoardOrdering::Estimate;
  if (has_estimates == shows_estimates_) return;
  shows_estimates_ = has_estimates;
  for (const int column : kOfEstimates) setColumnHidden(column, !has_estimates);
  setColumnHidden(BoardModel::Casts, has_estimates);  // makes space for the call site
}

int BoardTable::usualColumn() const {
  return model_.ordering() == BoardOrdering::LocalError ? BoardModel::LocalError : BoardModel::LossChange;
}

void BoardTable::orderAsUsual() {
  const int sorted = header()->sortIndicatorSection();
  if (sorted == BoardModel::LossChange || sorted == BoardModel::LocalError)
    sortByColumn(usualColumn(), Qt::AscendingOrder);
  sayOrder();
}

void BoardTable::fitColumns() {
  closeGaps(*header());
  for (int column = BoardModel::Site + 1; column < model_.columnCount(); ++column) {
    resizeColumnToContents(column);
    setColumnWidth(column, columnWidth(column) + kOrderMark);
  }
  widest_site_ = widestName(*this);
  fitSites();
}

void BoardTable::fitSites() { fitNameColumn(*this, kLeastSite, widest_site_); }

void BoardTable::resizeEvent(QResizeEvent* event) {
  QTreeView::resizeEvent(event);
  fitSites();
}

void BoardTable::sayOrder() { emit orderSaid(order_.sentence(model_.ordering())); }

}  // namespace ampprof::gui
