// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/recipe_cell_text.h"

#include <QStringList>

#include "reports/text/numbers.h"

namespace ampprof::gui {
namespace {

using Row = queries::RecipeMatmulRow;

QString shown(std::string text) { return QString::fromStdString(text); }

QString signedNumber(double value) { return shown(text::signed_scientific(value)); }

QString rankText(const analysis::ImpactRank& rank) {
  return rank.place == 0 ? QString() : shown(text::count(rank.place)) + (rank.is_tied ? "=" : "");
}

QString changedText(const Row& row) { return row.is_on_loss() ? "Δ loss per step" : "Δ of the loss decrease per step"; }

QString intervalText(const Row& row) {
  const auto interval = row.interval();
  if (!interval) return {};
  return QString(", 90 % interval %1 to %2")
      .arg(shown(text::scientific(interval->low)), shown(text::scientific(interval->high)));
}

QString meanText(const Row& row) {
  const auto error = row.standard_error();
  const QString resolved = is_resolved(row.by_step) == false ? ", within noise" : "";
  return "mean " + signedNumber(*row.impact()) + (error ? " ± " + shown(text::uncertainty(*error)) : "") + resolved;
}

QStringList impactLines(const Row& row) {
  if (row.by_step.empty()) {
    return row.gaps > 0 ? QStringList{"impact not measured: " + shown(row.gap_reason)} : QStringList{};
  }
  QStringList lines;
  if (row.is_ranking_only)
    lines << "For this optimizer, only the order of impacts on the loss decrease is known, not their size.";
  if (row.is_signed || !row.estimate()) {
    lines << changedText(row) + ": root mean square " + shown(text::shown(row.impact_rms(), text::scientific));
  } else {
    lines << changedText(row) + ": E " + shown(text::scientific(*row.estimate())) + intervalText(row);
  }
  lines << meanText(row);
  return lines;
}

QString operandText(const char* what, const OperandRounding& loss) {
  return QString("%1: SQNR %2, underflow %3, saturated %4")
      .arg(what, loss.sqnr_db() ? shown(text::number(*loss.sqnr_db())) + " dB" : "-",
           shown(text::shown(loss.flushed_share(), text::percent)),
           shown(text::shown(loss.saturated_share(), text::percent)));
}

}  // namespace

QString cellText(const RecipeCell& cell) {
  if (!cell.row) return "–";
  if (!cell.isQuantized()) return "stays BF16";
  const auto size = cell.size();
  if (!size) return "not measured";
  if (cell.row->is_ranking_only) return cell.rank.place > 0 ? "rank " + rankText(cell.rank) : "order only";
  if (!cell.isResolved()) return "within noise";
  const QString rank = rankText(cell.rank);
  return (rank.isEmpty() ? QString() : rank + "   ") + shown(text::scientific(*size));
}

QString cellTip(const RecipeCell& cell) {
  if (!cell.row) return {};
  const Row& row = *cell.row;
  if (!row.is_quantized) return "Stays in high precision: " + shown(row.reason);
  QStringList lines = impactLines(row);
  if (cell.rank.is_tied) lines << "= marks a tie: the recorded steps cannot tell the rows apart";
  if (row.relative_error()) lines << "relative error of the product " + shown(text::scientific(*row.relative_error()));
  lines << operandText(row.matmul == Matmul::Fprop ? "input" : "gradient", row.first)
        << operandText(row.matmul == Matmul::Wgrad ? "input" : "weight", row.second);
  if (!row.reason.empty()) lines << shown(row.reason);
  return lines.join('\n');
}

QString comparedText(const RecipeCell& cell, const RecipeCell& other, const QString& name_of_other) {
  const auto size = cell.size();
  const auto other_size = other.size();
  if (!size || !other_size || !(*other_size > 0.0)) return {};
  const auto ratio = size_ratio(cell.row->by_step, other.row->by_step);
  const auto reverse = size_ratio(other.row->by_step, cell.row->by_step);
  const bool is_open = ratio && reverse && !ratio->is_surely_above_one() && !reverse->is_surely_above_one();
  if (is_open) return "impact cannot be told apart from that of " + name_of_other;
  return shown(text::number(*size / *other_size)) + " times the impact of " + name_of_other;
}

}  // namespace ampprof::gui
