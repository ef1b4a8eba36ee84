// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/decisions.h"

#include <algorithm>
#include <tuple>

#include "reports/text/numbers.h"
#include "views/losses/views.h"
#include "views/ops/site_columns.h"
#include "views/table/column.h"

namespace ampprof::views {
namespace {

/// A row of the view. The columns of site_columns.h read the member `row`.
struct DecisionLine {
  queries::DecisionRow row;

  double per(std::int64_t whole, std::int64_t part) const {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
  }
  double share() const { return per(row.decisions, row.differing); }
  double of_call() const { return per(row.calls, row.decisions); }
};

const ViewOf<DecisionLine>& declared_decisions() {
  static const ViewOf<DecisionLine> kView{
      .name = "decisions",
      .columns = {run_id<DecisionLine>(), run_level<DecisionLine>(), site_name<DecisionLine>(),
                  site_phase<DecisionLine>(), site_module<DecisionLine>(), site_op<DecisionLine>(),
                  site_source<DecisionLine>("share"),
                  number_column<DecisionLine>(
                      {"calls", "Number of op calls that were compared."},
                      [](const DecisionLine& line) { return line.row.calls; }, "calls", text::count),
                  number_column<DecisionLine>({"decisions",
                                               "Number of decisions: integers or booleans computed from floating-point "
                                               "values. A row of topk counts as one."},
                                              [](const DecisionLine& line) { return line.row.decisions; }, "decisions",
                                              text::count, {.spare = 1}),
                  number_column<DecisionLine>({"decisions_per_call", "Mean number of decisions in a call."},
                                              &DecisionLine::of_call, "of a call", text::number, {.spare = 2}),
                  number_column<DecisionLine>(
                      {"differing", "Number of decisions that differ in the replayed step."},
                      [](const DecisionLine& line) { return line.row.differing; }, "differ", text::count),
                  number_column<DecisionLine>({"share", "Share of the decisions that differ in the replayed step."},
                                              &DecisionLine::share, "share", text::percent,
                                              {.tone = text::Tone::Attention})},
      .none = "The report holds no compared decisions.",
      .remedy = "Compare decisions with ampprof run --inherited.",
      .notes =
          "The replayed step makes its own decisions. From the run, it takes random draws, the positions of a pool's "
          "maxima, and masks that a backward pass computes."};
  return kView;
}

}  // namespace

View decisions_view(const std::vector<queries::DecisionRow>& rows) {
  std::vector<DecisionLine> lines;
  for (const queries::DecisionRow& row : rows) lines.push_back({row});
  const auto rank = [](const DecisionLine& line) { return std::tuple(-line.row.run, line.share()); };
  std::ranges::stable_sort(lines, [&](const DecisionLine& a, const DecisionLine& b) { return rank(a) > rank(b); });
  View view = view_of(declared_decisions(), lines);
  if (!rows.empty()) {
    view.said.push_back(
        {"Decisions are integers and masks computed from floating-point values. The table shows how many of them "
         "differ in the replayed step, which makes its own decisions. A row of topk counts as one. For the effect on "
         "the loss: ampprof show REPORT losses"});
  }
  return view;
}

}  // namespace ampprof::views
