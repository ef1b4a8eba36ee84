// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "analysis/group.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/format.h"
#include "views/views.h"

namespace ampprof::views {
namespace {

Json to_json(const analysis::Group<CastRow>& group) {
  const CastRow& row = group.row;
  const CastRecord& total = row.total;
  return {{"run", row.run},
          {"level", text_or_null(row.level)},
          {"call_site", row.call_site},
          {"phase", name_of(row.phase)},
          {"module", row.module},
          {"op", row.op},
          {"dtype_from", short_name(total.from)},
          {"dtype_to", short_name(total.to)},
          {"casts", total.casts},
          {"cache_hits", total.cache_hits},
          {"bytes", total.bytes},
          {"cpu_us", exact(static_cast<double>(total.duration_ns) / 1e3)},
          {"rounded_twice", total.rounded_twice},
          {"call_sites", group.call_sites}};
}

std::vector<Cell> cells_of(const CastRow& row) {
  const CastRecord& total = row.total;
  return {{text::printable(row.level.empty() ? std::to_string(row.run) : row.level), text::Tone::Strong},
          {short_site(row.call_site, row.phase)},
          {std::string(short_name(total.from)) + ">" + std::string(short_name(total.to))},
          {text::count(total.casts)},
          {text::count(total.cache_hits)},
          {text::bytes(static_cast<double>(total.bytes))},
          {text::microseconds(static_cast<double>(total.duration_ns) / 1e3)},
          {text::count(total.rounded_twice), total.rounded_twice > 0 ? text::Tone::Attention : text::Tone::Plain}};
}

}  // namespace

View casts_view(std::vector<CastRow> rows, const std::optional<analysis::Grouping>& grouping) {
  auto groups = analysis::grouped(std::move(rows), grouping);
  std::ranges::stable_sort(groups, std::greater(),
                           [](const analysis::Group<CastRow>& group) { return group.row.total.bytes; });
  View view{.name = "casts",
            .keys = {"run", "level", "call_site", "phase", "module", "op", "dtype_from", "dtype_to", "casts",
                     "cache_hits", "bytes", "cpu_us", "rounded_twice", "call_sites"},
            .columns = {{.title = "run", .key = "level"},
                        {.title = "for call site", .flexible = true, .key = "call_site"},
                        {.title = "cast", .key = "dtype_to"},
                        {.title = "casts", .align = Align::Right, .key = "casts"},
                        {.title = "from cache", .align = Align::Right, .spare = 2, .key = "cache_hits"},
                        {.title = "written", .align = Align::Right, .key = "bytes"},
                        {.title = "CPU time", .align = Align::Right, .key = "cpu_us"},
                        {.title = "rounded twice", .align = Align::Right, .spare = 1, .key = "rounded_twice"}},
            .records = {},
            .none = "The report holds no cast that AMP inserted."};
  for (const analysis::Group<CastRow>& group : groups) view.records.push_back({to_json(group), cells_of(group.row)});
  if (grouping) add_site_column(view, 1);
  return view;
}

}  // namespace ampprof::views
