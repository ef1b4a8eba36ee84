// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/board_columns.h"

#include <QLocale>
#include <algorithm>
#include <array>

#include "gui/models/board_model.h"
#include "reports/text/numbers.h"

namespace ampprof::gui {
namespace {

template <class T>
QVariant known(const std::optional<T>& value) {
  return value ? QVariant(*value) : QVariant();
}

std::string signed_time(double value) { return (value > 0 ? "+" : "") + text::microseconds(value); }

std::string bits(double value) { return text::fixed(value, 1); }

std::string compiled_time(const BoardLine& line) {
  if (line.regions.empty()) return text::shown(line.compiled_us, text::microseconds);
  return line.compiled_us ? text::microseconds(*line.compiled_us) + " in " + line.regions : "in " + line.regions;
}

std::string rank(const BoardLine& line) {
  const analysis::ImpactRank& rank = line.impact.rank;
  if (rank.place == 0) return std::string(text::kAbsent);
  return text::count(rank.place) + (rank.is_tied ? "=" : "");
}

QVariant rounded(const BoardLine& line) {
  if (line.impact.parts.empty()) return {};
  return QString::fromStdString(views::largest_part(line.impact.parts));
}

std::string mean_change(const BoardLine& line) {
  if (line.impact.is_resolved == false) return "within noise";
  return text::shown(line.impact.mean, text::signed_scientific);
}

std::string verdict(const BoardLine& line) {
  std::string text(line.tensor_cores ? name_of(*line.tensor_cores) : text::kAbsent);
  std::ranges::replace(text, '_', ' ');
  return text;
}

// In the order of BoardModel::Column. To add a column, add an entry here and an enumerator there.
const std::array kColumns{
    BoardColumn{"call site", "phase, module and op, or a group of them",
                [](const BoardLine& line) { return QVariant(QString::fromStdString(line.name)); },
                [](const BoardLine& line) { return line.name; }},
    BoardColumn{"local error", "error of the op alone, relative to its result in FP32",
                [](const BoardLine& line) { return known(line.local_error); },
                [](const BoardLine& line) { return text::shown(line.local_error, text::scientific); }},
    BoardColumn{"accumulated",
                "error of the op's result, including the errors of earlier ops, relative to the run in FP32",
                [](const BoardLine& line) { return known(line.inherited_error); },
                [](const BoardLine& line) { return text::shown(line.inherited_error, text::scientific); }},
    BoardColumn{"rank", "rank by Δ loss: of a group among all groups, of a call site within its group; = marks a tie",
                [](const BoardLine& line) {
                  return line.impact.rank.place > 0 ? QVariant(qlonglong{line.impact.rank.place}) : QVariant();
                },
                rank},
    BoardColumn{"Δ loss",
                "change of the loss per step due to the op's error (backward op: of the loss decrease per step): E, "
                "the expected RMS, or the RMS of the signed changes if E is unknown or fails its check; the whisker is "
                "the 90 % interval of E",
                [](const BoardLine& line) { return known(line.loss_change); },
                [](const BoardLine& line) { return text::shown(line.loss_change, text::scientific); }},
    BoardColumn{"rounded", "the rounded values with the largest share of E²: fix their rounding first", rounded,
                [](const BoardLine& line) { return views::largest_part(line.impact.parts); }},
    BoardColumn{"mean",
                "mean over steps of the signed change of the loss; within noise if it is below two standard errors",
                [](const BoardLine& line) { return known(line.impact.mean); }, mean_change},
    BoardColumn{"overflows", "overflow events that began here",
                [](const BoardLine& line) { return QVariant(qlonglong{line.overflows}); },
                [](const BoardLine& line) { return text::count(line.overflows); }},
    BoardColumn{
        "headroom",
        "powers of two between the op's largest value (group: of all its ops) and 65504, the largest number in FP16",
        [](const BoardLine& line) { return known(line.headroom); },
        [](const BoardLine& line) { return text::shown(line.headroom, bits); }},
    BoardColumn{"time", "time per step in this run, on the CPU",
                [](const BoardLine& line) { return QVariant(line.time_us); },
                [](const BoardLine& line) { return text::microseconds(line.time_us); }},
    BoardColumn{"GPU time", "GPU time per step of the op's kernels, memcpys and memsets in this run",
                [](const BoardLine& line) { return known(line.gpu_us); },
                [](const BoardLine& line) { return text::shown(line.gpu_us, text::microseconds); }},
    BoardColumn{"compiled",
                "time per step in the run with torch.compile; the time of a compiled region is shown once, at the "
                "first call site that it covers",
                [](const BoardLine& line) { return known(line.compiled_us); }, compiled_time},
    BoardColumn{"in FP32",
                "extra time per step in FP32, taken from the report's run in FP32; GPU time if the runs used a GPU",
                [](const BoardLine& line) { return known(line.fp32_us); },
                [](const BoardLine& line) { return text::shown(line.fp32_us, signed_time); }},
    BoardColumn{"casts", "bytes per step that casts of the op's inputs write",
                [](const BoardLine& line) { return QVariant(line.cast_bytes); },
                [](const BoardLine& line) { return text::bytes(line.cast_bytes); }},
    BoardColumn{"Tensor Cores",
                "whether the op's sizes suit Tensor Cores, by the rules of cuBLAS 11 and cuDNN 7.6.3 and later",
                [](const BoardLine& line) {
                  return line.tensor_cores ? QVariant(QString::fromStdString(verdict(line))) : QVariant();
                },
                verdict},
    BoardColumn{"keep FP32", "whether the policy keeps the function in FP32",
                [](const BoardLine&) { return QVariant(); }, [](const BoardLine&) { return std::string(); }},
};

QString exact(const QVariant& value) {
  if (value.userType() != QMetaType::Double) return value.toString();
  return QLocale::c().toString(value.toDouble(), 'g', QLocale::FloatingPointShortest);
}

}  // namespace

const BoardColumn& boardColumn(int column) { return kColumns[static_cast<std::size_t>(column)]; }

int boardColumns() { return static_cast<int>(kColumns.size()); }

QString boardTip(const BoardLine& line, int column) {
  return column == BoardModel::KeepFp32 ? QString::fromStdString(line.cannot) : exact(boardColumn(column).value(line));
}

}  // namespace ampprof::gui
