// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <tuple>

#include "reports/queries/gradient_impacts.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/losses/views.h"
#include "views/ops/site_columns.h"
#include "views/table/column.h"

namespace ampprof::views {
namespace {

using Row = queries::GradientErrorRow;

/// Returns the rounding error of a gradient relative to the gradient's own noise; infinite if that noise is 0.
std::optional<double> error_over_noise(const Row& row) {
  if (!row.relative || !row.noise) return std::nullopt;
  return *row.relative / *row.noise;
}

Cell flushed_cell(const Row& row) {
  return {text::shown(row.flushed, text::percent),
          row.flushed.value_or(0) > 0 ? text::Tone::Attention : text::Tone::Plain};
}

Cell angle_cell(const Row& row) {
  if (!row.cosine) return {std::string(text::kAbsent)};
  return {text::scientific(std::max(1 - *row.cosine, 0.0))};
}

std::vector<ColumnOf<Row>> parameters() {
  return {run_id<Row>(),
          run_level<Row>(),
          {.key = "parameter",
           .about = "Parameter that the gradient belongs to.",
           .value = &Row::parameter,
           .title = "parameter",
           .cell = [](const Row& row) -> Cell { return {text::printable(row.parameter)}; },
           .flexible = true},
          number_column<Row>({"steps", "Number of steps that were measured.", "steps"}, &Row::steps, "steps",
                             text::count, {.spare = 3})};
}

std::vector<ColumnOf<Row>> errors() {
  return {
      number_column<Row>({"share_of_error", "Share of this gradient in the squared error of all gradients of the run."},
                         &Row::share, "of all error", text::percent),
      number_column<Row>(
          {"gradient_rel_l2",
           "Relative L2 error of the gradient, against the gradient of a forward and backward pass in high precision."},
          &Row::relative, "error", text::scientific),
      number_column<Row>({"gradient_noise",
                          "Distance of the high-precision gradient from its mean over steps, relative to the gradient. "
                          "Null for one step."},
                         &Row::noise, "noise", text::scientific),
      number_column<Row>({"error_over_noise", "`gradient_rel_l2` divided by `gradient_noise`."}, error_over_noise,
                         "error/noise", text::scientific, {.spare = 1}),
      {.key = "cosine",
       .about = "Cosine similarity to the high-precision gradient. Tables show 1 minus the cosine.",
       .value = [](const Row& row) { return value_of(row.cosine); },
       .title = "1 - cosine",
       .cell = angle_cell,
       .align = Align::Right,
       .spare = 2},
      {.key = "flushed_share",
       .about = "Share of the gradient's elements that are 0 in the run but not in high precision.",
       .value = [](const Row& row) { return value_of(row.flushed); },
       .title = "underflow",
       .cell = flushed_cell,
       .align = Align::Right}};
}

const ViewOf<Row>& declared_gradients() {
  static const ViewOf<Row> kView{
      .name = "gradients",
      .columns = joined({parameters(), errors()}),
      .none = "The report holds no gradient errors.",
      .remedy = "Measure gradient errors with ampprof run --impact.",
      .notes = "A row is the unscaled gradient of a parameter, over the steps that --impact measured."};
  return kView;
}

}  // namespace

View gradients_view(std::vector<queries::GradientErrorRow> rows) {
  const auto rank = [](const Row& row) {
    return std::tuple(-row.run, row.share.value_or(-1), row.relative.value_or(-1));
  };
  std::ranges::stable_sort(rows, [&](const Row& a, const Row& b) { return rank(a) > rank(b); });
  View view = view_of(declared_gradients(), rows);
  if (!rows.empty()) {
    const bool has_several_runs = rows.front().run != rows.back().run;
    view.order = std::string("Sorted by ") + (has_several_runs ? "run, then by " : "") +
                 "share of the error of all gradients, the largest first.";
    view.said.push_back(
        {"Error: distance of the run's gradient from the gradient of a forward and backward pass in the precision of "
         "the reference. Noise: distance of this reference gradient from its mean over steps."});
  }
  return view;
}

}  // namespace ampprof::views
