// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <map>

#include "analysis/group.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/format.h"
#include "views/views.h"

namespace ampprof::views {
namespace {

std::optional<double> unlaunched_share(const GapRow& row) {
  if (!row.unlaunched_us || row.idle_us <= 0.0) return std::nullopt;
  return *row.unlaunched_us / row.idle_us;
}

Json gap_json(const analysis::Group<GapRow>& group, double share) {
  const GapRow& row = group.row;
  return {{"run", row.run},
          {"level", text_or_null(row.level)},
          {"call_site", text_or_null(row.call_site)},
          {"phase", row.phase ? Json(name_of(*row.phase)) : Json()},
          {"module", row.phase ? Json(row.module) : Json()},
          {"op", text_or_null(row.op)},
          {"gaps", row.gaps},
          {"idle_us", exact(row.idle_us)},
          {"share", exact(share)},
          {"unlaunched_us", exact(row.unlaunched_us)},
          {"longest_us", exact(row.longest_us)},
          {"longest_step", row.longest_step},
          {"call_sites", group.call_sites}};
}

std::vector<Cell> gap_cells(const analysis::Group<GapRow>& group, double share) {
  const GapRow& row = group.row;
  return {{text::printable(row.level.empty() ? std::to_string(row.run) : row.level), text::Tone::Strong},
          {row.phase ? short_site(row.call_site, *row.phase) : "outside of ops"},
          {text::count(row.gaps)},
          {text::microseconds(row.idle_us)},
          {text::percent(share)},
          {text::shown(unlaunched_share(row), text::percent)},
          {text::microseconds(row.idle_us / static_cast<double>(std::max<std::int64_t>(row.gaps, 1)))},
          {text::microseconds(row.longest_us)},
          {text::count(row.longest_step)}};
}

}  // namespace

View idle_view(std::vector<GapRow> gaps, const std::optional<analysis::Grouping>& grouping) {
  std::map<std::int64_t, double> totals;  // us by run
  for (const GapRow& row : gaps) totals[row.run] += row.idle_us;
  auto groups = analysis::grouped(std::move(gaps), grouping);
  std::ranges::stable_sort(groups, std::greater(),
                           [](const analysis::Group<GapRow>& group) { return group.row.idle_us; });
  View view{.name = "idle",
            .keys = {"run", "level", "call_site", "phase", "module", "op", "gaps", "idle_us", "share", "unlaunched_us",
                     "longest_us", "longest_step", "call_sites"},
            .columns = {{.title = "run", .key = "level"},
                        {.title = "waited for", .flexible = true, .key = "call_site"},
                        {.title = "gaps", .align = Align::Right, .key = "gaps"},
                        {.title = "idle", .align = Align::Right, .key = "idle_us"},
                        {.title = "share", .align = Align::Right, .key = "share"},
                        {.title = "unlaunched", .align = Align::Right, .key = "unlaunched_us"},
                        {.title = "each", .align = Align::Right, .spare = 3},
                        {.title = "longest", .align = Align::Right, .key = "longest_us"},
                        {.title = "in step", .align = Align::Right, .spare = 2, .key = "longest_step"}},
            .records = {},
            .none =
                "The report holds no GPU activity: the program ran without one, or CUPTI could not be used "
                "(ampprof show REPORT missing)."};
  for (const analysis::Group<GapRow>& group : groups) {
    const double total = totals.at(group.row.run);
    const double share = total > 0.0 ? group.row.idle_us / total : 0.0;
    view.records.push_back({gap_json(group, share), gap_cells(group, share)});
  }
  if (grouping) add_site_column(view, 1);
  return view;
}

}  // namespace ampprof::views
