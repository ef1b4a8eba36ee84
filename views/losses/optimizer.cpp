// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <tuple>

#include "reports/queries/updates.h"
#include "reports/records/dtype.h"
#include "reports/records/step.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/losses/views.h"
#include "views/ops/site_columns.h"
#include "views/table/column.h"

namespace ampprof::views {
namespace {

/// Returns `n` divided by the number of elements with a nonzero update; empty if `n` is unknown or that number is 0.
std::optional<double> share_of(const std::optional<std::int64_t>& n, const WeightUpdate& update) {
  if (!n || update.count == 0) return std::nullopt;
  return static_cast<double>(*n) / static_cast<double>(update.count);
}

std::optional<double> mean_ulp(const WeightUpdate& update) {
  if (update.count == 0) return std::nullopt;
  return update.sum_ulp / static_cast<double>(update.count);
}

std::optional<double> lost_share(const queries::UpdateRow& row) { return share_of(row.total.lost, row.total); }

std::optional<double> below_half_ulp_share(const queries::UpdateRow& row) {
  return share_of(row.total.below_half_ulp, row.total);
}

Cell lost_cell(const queries::UpdateRow& row) {
  const auto lost = lost_share(row);
  const bool is_for_good = lost.value_or(0) > 0 && !row.has_master;
  return {text::shown(lost, text::percent), is_for_good ? text::Tone::Attention : text::Tone::Plain};
}

std::vector<ColumnOf<queries::UpdateRow>> updated_weights() {
  return {run_id<queries::UpdateRow>(),
          run_level<queries::UpdateRow>(),
          {.key = "call_site",
           .about = "Call site of the optimizer that wrote the parameter.",
           .value = &queries::UpdateRow::call_site,
           .title = "by",
           .cell = [](const queries::UpdateRow& row) -> Cell { return {text::printable(row.call_site)}; },
           .flexible = true,
           .spare = 2,
           .behind = "mean_update_ulp"},
          site_source<queries::UpdateRow>("call_site"),
          {.key = "parameter",
           .about = "Parameter that was written.",
           .value = [](const queries::UpdateRow& row) -> Value { return row.total.parameter; },
           .title = "parameter",
           .cell = [](const queries::UpdateRow& row) -> Cell { return {text::printable(row.total.parameter)}; },
           .flexible = true},
          dtype_column<queries::UpdateRow>([](const queries::UpdateRow& row) { return row.total.dtype; }),
          {.key = "has_master",
           .about = "True if the run also updates an FP32 or FP64 master of this reduced-precision parameter. The "
                    "master keeps the part of an update that rounding the parameter loses.",
           .value = &queries::UpdateRow::has_master,
           .title = "master",
           .cell = [](const queries::UpdateRow& row) -> Cell { return {row.has_master ? "yes" : "-"}; }}};
}

std::vector<ColumnOf<queries::UpdateRow>> update_figures() {
  return {
      number_column<queries::UpdateRow>({"elements", "Number of elements whose update is not 0."},
                                        [](const queries::UpdateRow& row) { return row.total.count; }, "elements",
                                        text::count, {.spare = 1}),
      {.key = "lost",
       .about = "Number of elements whose update is not 0 but whose weight did not change. Null without a reference.",
       .value = [](const queries::UpdateRow& row) { return value_of(row.total.lost); }},
      {.key = "lost_share",
       .about = "Share of the elements with an update other than 0 whose weight did not change, over all steps. A "
                "weight that does not change in one step may change in another; the view `drift` shows what is lost "
                "for good. Null without a reference.",
       .value = [](const queries::UpdateRow& row) { return value_of(lost_share(row)); },
       .title = "unmoved",
       .cell = lost_cell,
       .align = Align::Right},
      {.key = "below_half_ulp",
       .about = "Number of elements whose update is not 0 but below half an ulp of the weight.",
       .value = [](const queries::UpdateRow& row) -> Value { return row.total.below_half_ulp; }},
      number_column<queries::UpdateRow>(
          {"below_half_ulp_share", "Share of the updates other than 0 that are below half an ulp of the weight."},
          below_half_ulp_share, "< ulp/2", text::percent),
      number_column<queries::UpdateRow>(
          {"mean_update_ulp", "Mean of |update| / ulp(weight).", "ulp"},
          [](const queries::UpdateRow& row) { return mean_ulp(row.total); }, "mean ulp", text::number)};
}

const ViewOf<queries::UpdateRow>& declared_optimizer() {
  static const ViewOf<queries::UpdateRow> kView{.name = "optimizer",
                                                .columns = joined({updated_weights(), update_figures()}),
                                                .none = "The report holds no weight update.",
                                                .remedy =
                                                    "Record a program whose optimizer updates weights in a recorded "
                                                    "step."};
  return kView;
}

}  // namespace

View optimizer_view(std::vector<queries::UpdateRow> rows) {
  const auto rank = [](const queries::UpdateRow& row) {
    return std::tuple(!row.has_master, lost_share(row).value_or(-1), below_half_ulp_share(row).value_or(-1));
  };
  std::ranges::stable_sort(rows,
                           [&](const queries::UpdateRow& a, const queries::UpdateRow& b) { return rank(a) > rank(b); });
  return view_of(declared_optimizer(), rows);
}

}  // namespace ampprof::views
