// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <map>

#include "analysis/ops/group.h"
#include "reports/queries/gaps.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/gpu/views.h"
#include "views/ops/site_columns.h"
#include "views/ops/views.h"

namespace ampprof::views {
namespace {

struct Gap : analysis::Group<queries::GapRow> {
  double share;  ///< share of the run's idle time
};

using GapColumns = std::vector<ColumnOf<Gap>>;

std::optional<double> unlaunched_share(const Gap& gap) {
  if (!gap.row.unlaunched_us || gap.row.idle_us <= 0.0) return std::nullopt;
  return *gap.row.unlaunched_us / gap.row.idle_us;
}

double mean_of(const Gap& gap) {
  return gap.row.idle_us / static_cast<double>(std::max<std::int64_t>(gap.row.gaps, 1));
}

GapColumns gap_site_columns() {
  return {run_id<Gap>(),
          run_level<Gap>(),
          {.key = "call_site",
           .about = "Call site of the activity after the gap. Null if no op call launched the activity.",
           .value = [](const Gap& gap) { return known(gap.row.call_site); },
           .title = "waited for",
           .cell = [](const Gap& gap) -> Cell {
             return {gap.row.phase ? short_site(gap.row.call_site, *gap.row.phase) : "outside of ops"};
           },
           .flexible = true},
          site_phase<Gap>(),
          {.key = "module",
           .about = "Path of the module that calls the op.",
           .value = [](const Gap& gap) { return gap.row.phase ? Value(gap.row.module) : Value(); }},
          {.key = "op", .about = "Name of the op.", .value = [](const Gap& gap) { return known(gap.row.op); }},
          site_source<Gap>()};
}

GapColumns idle_columns() {
  return {
      number_column<Gap>(
          {"gaps", "Number of gaps in which the GPU did nothing in any stream."},
          [](const Gap& gap) { return gap.row.gaps; }, "gaps", text::count),
      number_column<Gap>(
          {"idle_us", "Total length of the gaps in which the GPU did nothing."},
          [](const Gap& gap) { return gap.row.idle_us; }, "idle", text::microseconds),
      number_column<Gap>({"share", "Share of the GPU's total idle time between the run's first and last activity."},
                         &Gap::share, "share", text::percent),
      {.key = "unlaunched_us",
       .about =
           "Part of the idle time before the CPU thread launched the next activity. A large part means that the GPU "
           "waits for the CPU; a small part, for another stream, an event or the launch itself. Tables show a share.",
       .value = [](const Gap& gap) { return value_of(gap.row.unlaunched_us); },
       .title = "unlaunched",
       .cell = [](const Gap& gap) -> Cell { return {text::shown(unlaunched_share(gap), text::percent)}; },
       .align = Align::Right},
      {.about = "Mean time of a gap.",
       .title = "mean",
       .cell = [](const Gap& gap) -> Cell { return {text::microseconds(mean_of(gap))}; },
       .align = Align::Right,
       .spare = 3},
      number_column<Gap>(
          {"longest_us", "Longest gap."}, [](const Gap& gap) { return gap.row.longest_us; }, "longest",
          text::microseconds),
      number_column<Gap>({"longest_step", "Step of the activity after the longest gap."},
                         [](const Gap& gap) { return gap.row.longest_step; }, "in step", text::count, {.spare = 2}),
      call_sites<Gap>()};
}

const ViewOf<Gap>& idle() {
  static const ViewOf<Gap> kView{.name = "idle",
                                 .columns = joined({gap_site_columns(), idle_columns()}),
                                 .none = "The GPU was never idle between two activities."};
  return kView;
}

}  // namespace

View idle_view(std::vector<queries::GapRow> gaps, const std::optional<analysis::Grouping>& grouping) {
  std::map<std::int64_t, double> totals;  // idle time in us by run
  for (const queries::GapRow& row : gaps) totals[row.run] += row.idle_us;
  auto groups = analysis::grouped(std::move(gaps), grouping);
  std::ranges::stable_sort(groups, std::greater(), [](const auto& group) { return group.row.idle_us; });
  std::vector<Gap> lines;
  for (auto& group : groups) {
    const double total = totals.at(group.row.run);
    const double share = total > 0.0 ? group.row.idle_us / total : 0.0;
    lines.push_back({std::move(group), share});
  }
  return view_of(idle(), lines, hidden_without(grouping));
}

}  // namespace ampprof::views
