// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/losses.h"

#include <algorithm>
#include <cmath>

#include "reports/text/numbers.h"
#include "views/losses/views.h"
#include "views/ops/site_columns.h"
#include "views/table/column.h"

namespace ampprof::views {
namespace {

using queries::LossRow;

constexpr int kDigitsOfFloat = 9;  // enough significant digits to tell any two FP32 numbers apart

const ViewOf<LossRow>& declared_losses() {
  static const ViewOf<LossRow> kView{
      .name = "losses",
      .columns = {run_id<LossRow>(),
                  run_level<LossRow>(),
                  number_column<LossRow>({"step", "Step, from 1."}, &LossRow::step, "step", text::count),
                  number_column<LossRow>(
                      {"loss_id", "Index of the loss, from 0. A program can have several losses."},
                      [](const LossRow& row) { return row.loss.loss_id; }, "id", digits),
                  {.key = "loss",
                   .about =
                       "Loss before the program multiplied it by a loss scale. Micro-batches have rows of their own.",
                   .value = [](const LossRow& row) -> Value { return row.loss.value; },
                   .title = "loss",
                   .cell = [](const LossRow& row) -> Cell {
                     const bool is_finite = std::isfinite(row.loss.value);
                     return {text::plain(row.loss.value), is_finite ? text::Tone::Plain : text::Tone::Bad};
                   },
                   .align = Align::Right},
                  number_column<LossRow>(
                      {"shadow_loss",
                       "Loss of the replayed step, which computes without rounding (--inherited) or in the recipe "
                       "(--what-if RECIPE). Null if no step was replayed, or if an op on the way to the loss could not "
                       "be replayed."},
                      [](const LossRow& row) { return row.loss.shadow_value; }, "in the shadow", text::plain),
                  number_column<LossRow>(
                      {"by_decisions",
                       "Change of the loss due to decisions that differ: the run's loss minus `shadow_loss`, minus the "
                       "sum of its other loss impacts. Null if no decision on the way to the loss differs, or an "
                       "impact is not known."},
                      &LossRow::by_decisions, "by decisions", text::plain)},
      .none = "No loss was seen.",
      .remedy = "Record a program that trains: ampprof takes the loss from the tensor whose backward() is called."};
  return kView;
}

}  // namespace

View losses_view(const std::vector<LossRow>& losses) {
  std::vector<std::string_view> hidden;
  const auto hide_unless_any = [&](std::string_view key, auto has) {
    if (std::ranges::none_of(losses, has)) hidden.push_back(key);
  };
  hide_unless_any("shadow_loss", [](const LossRow& row) { return row.loss.shadow_value.has_value(); });
  hide_unless_any("by_decisions", [](const LossRow& row) { return row.by_decisions.has_value(); });
  View view = view_of(declared_losses(), losses, hidden);
  for (const char* key : {"loss", "shadow_loss", "by_decisions"}) align_decimals(view, key, kDigitsOfFloat);
  return view;
}

}  // namespace ampprof::views
