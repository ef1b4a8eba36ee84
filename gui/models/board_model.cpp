// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/board_model.h"

#include <QLocale>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "analysis/group.h"
#include "gui/models/plain_tip.h"
#include "reports/text/numbers.h"
#include "views/format.h"

namespace ampprof::gui {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr double kDecades = 3;     // of loss changes that heat tells apart
constexpr double kSafeBits = 8.0;  // of headroom, where heat ends

struct ColumnSpec {
  const char* title;
  const char* meaning;
  QVariant (*value)(const BoardLine&);
  std::string (*show)(const BoardLine&);
};

template <class T>
QVariant known(const std::optional<T>& value) {
  return value ? QVariant(*value) : QVariant();
}

std::string signed_time(double value) { return (value > 0 ? "+" : "") + text::microseconds(value); }

std::string bits(double value) { return text::number(std::round(value * 10) / 10); }

std::string compiled_time(const BoardLine& line) {
  if (line.regions.empty()) return text::shown(line.compiled_us, text::microseconds);
  return line.compiled_us ? text::microseconds(*line.compiled_us) + " in " + line.regions : "in " + line.regions;
}

std::string verdict(const BoardLine& line) {
  std::string text(line.tensor_cores ? name_of(*line.tensor_cores) : text::kAbsent);
  std::ranges::replace(text, '_', ' ');
  return text;
}

// In the order of BoardModel::Column. A new column is one entry here and one enumerator there.
const std::array kColumns{
    ColumnSpec{"call site", "phase, module and op, or a group of them",
               [](const BoardLine& line) { return QVariant(QString::fromStdString(line.name)); },
               [](const BoardLine& line) { return line.name; }},
    ColumnSpec{"local error", "error of the op alone, relative to its result in FP32",
               [](const BoardLine& line) { return known(line.local_error); },
               [](const BoardLine& line) { return text::shown(line.local_error, text::scientific); }},
    ColumnSpec{"inherited", "error of its result with that of all ops before it, relative to the run in FP32",
               [](const BoardLine& line) { return known(line.inherited_error); },
               [](const BoardLine& line) { return text::shown(line.inherited_error, text::scientific); }},
    ColumnSpec{
        "Δ loss",
        "what its error changes the loss by in a step: E, or where its check fails the root mean square over steps",
        [](const BoardLine& line) { return known(line.loss_change); },
        [](const BoardLine& line) { return text::shown(line.loss_change, text::scientific); }},
    ColumnSpec{"overflows", "overflow events that began here",
               [](const BoardLine& line) { return QVariant(qlonglong{line.overflows}); },
               [](const BoardLine& line) { return text::count(line.overflows); }},
    ColumnSpec{"headroom", "powers of two from its largest value up to 65504, where FP16 ends",
               [](const BoardLine& line) { return known(line.headroom); },
               [](const BoardLine& line) { return text::shown(line.headroom, bits); }},
    ColumnSpec{"time", "time of a step in this run, on the CPU",
               [](const BoardLine& line) { return QVariant(line.time_us); },
               [](const BoardLine& line) { return text::microseconds(line.time_us); }},
    ColumnSpec{"GPU time", "time of a step that its kernels, memcpys and memsets took on the GPU in this run",
               [](const BoardLine& line) { return known(line.gpu_us); },
               [](const BoardLine& line) { return text::shown(line.gpu_us, text::microseconds); }},
    ColumnSpec{
        "compiled",
        "time of a step in the run with torch.compile; that of a compiled region stands once, beside the first call "
        "site that it covers",
        [](const BoardLine& line) { return known(line.compiled_us); }, compiled_time},
    ColumnSpec{"in FP32",
               "what FP32 takes more of a step, by the report's run in FP32; GPU time where the runs saw a GPU",
               [](const BoardLine& line) { return known(line.fp32_us); },
               [](const BoardLine& line) { return text::shown(line.fp32_us, signed_time); }},
    ColumnSpec{"casts", "bytes of a step that casts of its inputs write",
               [](const BoardLine& line) { return QVariant(line.cast_bytes); },
               [](const BoardLine& line) { return text::bytes(line.cast_bytes); }},
    ColumnSpec{"Tensor Cores", "whether its sizes suit them, by the rules of cuBLAS 11 and cuDNN 7.6.3 and later",
               [](const BoardLine& line) {
                 return line.tensor_cores ? QVariant(QString::fromStdString(verdict(line))) : QVariant();
               },
               verdict},
    ColumnSpec{"keep FP32", "whether the policy registers it as FP32", [](const BoardLine&) { return QVariant(); },
               [](const BoardLine&) { return std::string(); }},
};

Qt::Alignment alignment_of(int column) {
  const bool is_text = column == BoardModel::Site || column >= BoardModel::TensorCores;
  return Qt::AlignVCenter | (is_text ? Qt::AlignLeft : Qt::AlignRight);
}

QString exact(const QVariant& value) {
  if (value.userType() != QMetaType::Double) return value.toString();
  return QLocale::c().toString(value.toDouble(), 'g', QLocale::FloatingPointShortest);
}

/// 1 for the largest change, less by an equal part each decade.
double heat_of_change(const std::optional<double>& change, double largest, double noise) {
  if (!change || std::isnan(*change) || *change <= noise) return kUnknown;
  if (*change >= largest) return 1.0;
  return std::max(0.0, 1.0 + std::log10(*change / largest) / kDecades);
}

double heat_of_headroom(const BoardLine& line) {
  if (!line.headroom || !line.is_reduced) return kUnknown;
  return std::clamp(1.0 - *line.headroom / kSafeBits, 0.0, 1.0);
}

views::Value sortValue(const QModelIndex& index) {
  const QVariant value = index.data(BoardModel::ValueRole);
  if (!value.isValid()) return {};
  if (value.userType() == QMetaType::QString) return value.toString().toStdString();
  return value.toDouble();
}

// An index within a group carries the group's row, one of a group itself none.
constexpr quintptr kNoGroup = 0;
quintptr id_of(int group) { return static_cast<quintptr>(group) + 1; }
int group_of(const QModelIndex& index) { return static_cast<int>(index.internalId()) - 1; }

}  // namespace

BoardModel::BoardModel(QObject* parent) : QAbstractItemModel(parent) {}

void BoardModel::show(std::shared_ptr<const Board> board) {
  beginResetModel();
  board_ = std::move(board);
  groups_ = board_ ? board_groups(*board_, analysis::GroupBy::Module) : std::vector<BoardGroup>();
  kept_.assign(board_ ? board_->evaluation().candidates().size() : 0, false);
  largest_change_ = 0.0;
  most_overflows_ = 0;
  for (const BoardGroup& group : groups_) {
    const auto& [change, overflows] = std::pair(group.line.loss_change, group.line.overflows);
    if (change && std::isfinite(*change)) largest_change_ = std::max(largest_change_, *change);
    most_overflows_ = std::max(most_overflows_, overflows);
  }
  endResetModel();
  emit chosenChanged();
}

void BoardModel::arrange(analysis::GroupBy by, const std::string& pattern) {
  if (!board_) return;
  auto groups = board_groups(*board_, by, pattern);
  beginResetModel();
  groups_ = std::move(groups);
  endResetModel();
}

BoardModel::Places BoardModel::chosen() const {
  Places places;
  for (std::size_t place = 0; place < kept_.size(); ++place) {
    if (kept_[place]) places.push_back(place);
  }
  return places;
}

void BoardModel::choose(const Places& candidates) {
  kept_.assign(kept_.size(), false);
  mark(candidates, true);
}

void BoardModel::toggle(const QModelIndex& row) {
  const QModelIndex index = row.siblingAtColumn(KeepFp32);
  setData(index, index.data(Qt::CheckStateRole) == Qt::Checked ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
}

void BoardModel::mark(const Places& candidates, bool kept) {
  for (const std::size_t place : candidates) kept_[place] = kept;
  const auto tell = [&](const QModelIndex& parent) {
    const int last = rowCount(parent) - 1;
    if (last >= 0) emit dataChanged(index(0, KeepFp32, parent), index(last, KeepFp32, parent), {Qt::CheckStateRole});
  };
  tell({});
  for (int group = 0; group < rowCount(); ++group) tell(index(group, 0));
  emit chosenChanged();
}

QString BoardModel::callSite(const QModelIndex& index) const {
  return index.isValid() ? QString::fromStdString(line(index).call_site) : QString();
}

std::vector<std::string> BoardModel::callSites(const QModelIndex& index) const {
  if (!index.isValid()) return {};
  if (const std::string& site = line(index).call_site; !site.empty()) return {site};
  std::vector<std::string> sites;
  for (const BoardLine& site : groups_[static_cast<std::size_t>(index.row())].sites) sites.push_back(site.call_site);
  return sites;
}

QModelIndex BoardModel::find(const QString& call_site) const {
  const std::string wanted = call_site.toStdString();
  if (wanted.empty()) return {};
  for (int group = 0; group < rowCount(); ++group) {
    const auto& [line, sites] = groups_[static_cast<std::size_t>(group)];
    if (line.call_site == wanted) return index(group, 0);
    const auto found = std::ranges::find(sites, wanted, &BoardLine::call_site);
    if (found != sites.end()) return index(static_cast<int>(found - sites.begin()), 0, index(group, 0));
  }
  return {};
}

const BoardLine& BoardModel::line(const QModelIndex& index) const {
  if (index.internalId() == kNoGroup) return groups_[static_cast<std::size_t>(index.row())].line;
  return groups_[static_cast<std::size_t>(group_of(index))].sites[static_cast<std::size_t>(index.row())];
}

QModelIndex BoardModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  return createIndex(row, column, parent.isValid() ? id_of(parent.row()) : kNoGroup);
}

QModelIndex BoardModel::parent(const QModelIndex& index) const {
  if (!index.isValid() || index.internalId() == kNoGroup) return {};
  return createIndex(group_of(index), 0, kNoGroup);
}

int BoardModel::rowCount(const QModelIndex& parent) const {
  if (!parent.isValid()) return static_cast<int>(groups_.size());
  if (parent.internalId() != kNoGroup || parent.column() > 0) return 0;
  return static_cast<int>(groups_[static_cast<std::size_t>(parent.row())].sites.size());
}

int BoardModel::columnCount(const QModelIndex&) const { return static_cast<int>(kColumns.size()); }

QVariant BoardModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const BoardLine& shown = line(index);
  const ColumnSpec& column = kColumns[static_cast<std::size_t>(index.column())];
  switch (role) {
    case Qt::DisplayRole:
      return QString::fromStdString(column.show(shown));
    case Qt::TextAlignmentRole:
      return QVariant(alignment_of(index.column()));
    case Qt::CheckStateRole:
      return index.column() == KeepFp32 ? checkState(shown) : QVariant();
    case Qt::ToolTipRole:
      return plainTip(toolTip(shown, index.column()));
    case ValueRole:
      return column.value(shown);
    case HeatRole:
      return heat(shown, index.column());
    default:
      return {};
  }
}

bool BoardModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::CheckStateRole || !(flags(index) & Qt::ItemIsUserCheckable)) return false;
  mark(line(index).candidates, value.toInt() == Qt::Checked);
  return true;
}

QVariant BoardModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  const ColumnSpec& column = kColumns[static_cast<std::size_t>(section)];
  if (role == Qt::DisplayRole) return QString::fromUtf8(column.title);
  if (role == Qt::ToolTipRole) return QString::fromUtf8(column.meaning);
  if (role == Qt::TextAlignmentRole) return QVariant(alignment_of(section));
  return {};
}

Qt::ItemFlags BoardModel::flags(const QModelIndex& index) const {
  Qt::ItemFlags flags = QAbstractItemModel::flags(index);
  if (index.isValid() && index.column() == KeepFp32 && !line(index).candidates.empty())
    flags |= Qt::ItemIsUserCheckable;
  return flags;
}

QVariant BoardModel::checkState(const BoardLine& line) const {
  if (line.candidates.empty()) return {};
  const auto kept =
      std::ranges::count_if(line.candidates, [&](std::size_t candidate) { return bool{kept_[candidate]}; });
  if (kept == 0) return Qt::Unchecked;
  return kept == std::ssize(line.candidates) ? Qt::Checked : Qt::PartiallyChecked;
}

QString BoardModel::toolTip(const BoardLine& line, int column) const {
  if (column == KeepFp32) return QString::fromStdString(line.cannot);
  if (column == TensorCores) return QString::fromStdString(line.tensor_core_reason);
  if (column == Site && !line.source.empty()) return QString::fromStdString(line.name + '\n' + line.source);
  return exact(kColumns[static_cast<std::size_t>(column)].value(line));
}

QVariant BoardModel::heat(const BoardLine& line, int column) const {
  switch (column) {
    case LossChange:
      return heat_of_change(line.loss_change, largest_change_, loss_noise(board_->evidence().run));
    case Overflows:
      if (line.overflows == 0) return {};
      return static_cast<double>(line.overflows) / static_cast<double>(std::max(line.overflows, most_overflows_));
    case Headroom:
      return heat_of_headroom(line);
    default:
      return {};
  }
}

BoardOrder::BoardOrder(BoardModel& model, QObject* parent) : QSortFilterProxyModel(parent) { setSourceModel(&model); }

bool BoardOrder::lessThan(const QModelIndex& a, const QModelIndex& b) const {
  if (a.column() != BoardModel::LossChange) return views::comes_before(sortValue(a), sortValue(b));
  const auto rank = [](const QModelIndex& index) {
    return index.siblingAtColumn(BoardModel::Overflows).data(BoardModel::ValueRole).toLongLong();
  };
  const auto [first, second] = std::pair(rank(a), rank(b));
  if ((first > 0) != (second > 0)) return first > 0;
  const views::Value change = sortValue(a);
  const views::Value other = sortValue(b);
  if (change != other) return views::comes_before(change, other);
  if (first != second) return first > second;
  const auto can_be_kept = [](const QModelIndex& index) {
    return index.siblingAtColumn(BoardModel::KeepFp32).data(Qt::CheckStateRole).isValid();
  };
  return can_be_kept(a) && !can_be_kept(b);
}

}  // namespace ampprof::gui
