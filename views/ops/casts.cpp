// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>

#include "reports/queries/casts.h"
#include "reports/records/dtype.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/ops/site_columns.h"
#include "views/ops/views.h"
#include "views/table/column.h"

namespace ampprof::views {
namespace {

using Line = analysis::Group<queries::CastRow>;

double cpu_us(const Line& line) { return static_cast<double>(line.row.total.duration_ns) / 1e3; }

const ViewOf<Line>& casts() {
  static const ViewOf<Line> kView{
      .name = "casts",
      .columns = {run_id<Line>(),
                  run_level<Line>(),
                  {.key = "call_site",
                   .value = [](const Line& line) -> Value { return line.row.call_site; },
                   .title = "for call site",
                   .cell = [](const Line& line) -> Cell { return {short_site(line.row.call_site, line.row.phase)}; },
                   .flexible = true},
                  site_phase<Line>(),
                  site_module<Line>(),
                  site_op<Line>(),
                  site_source<Line>(),
                  {.key = "dtype_from",
                   .value = [](const Line& line) -> Value { return std::string(short_name(line.row.total.from)); }},
                  {.key = "dtype_to",
                   .value = [](const Line& line) -> Value { return std::string(short_name(line.row.total.to)); },
                   .title = "cast",
                   .cell = [](const Line& line) -> Cell {
                     return {std::string(short_name(line.row.total.from)) + ">" +
                             std::string(short_name(line.row.total.to))};
                   }},
                  {.key = "casts",
                   .value = [](const Line& line) -> Value { return line.row.total.casts; },
                   .title = "casts",
                   .cell = [](const Line& line) -> Cell { return {text::count(line.row.total.casts)}; },
                   .align = Align::Right},
                  {.key = "cache_hits",
                   .value = [](const Line& line) -> Value { return line.row.total.cache_hits; },
                   .title = "from cache",
                   .cell = [](const Line& line) -> Cell { return {text::count(line.row.total.cache_hits)}; },
                   .align = Align::Right,
                   .spare = 2},
                  {.key = "bytes",
                   .value = [](const Line& line) -> Value { return line.row.total.bytes; },
                   .title = "written",
                   .cell = [](const Line& line) -> Cell {
                     return {text::bytes(static_cast<double>(line.row.total.bytes))};
                   },
                   .align = Align::Right},
                  {.key = "cpu_us",
                   .value = [](const Line& line) -> Value { return cpu_us(line); },
                   .title = "CPU time",
                   .cell = [](const Line& line) -> Cell { return {text::microseconds(cpu_us(line))}; },
                   .align = Align::Right},
                  {.key = "rounded_twice",
                   .value = [](const Line& line) -> Value { return line.row.total.rounded_twice; },
                   .title = "rounded twice",
                   .cell = [](const Line& line) { return attention_if_any(line.row.total.rounded_twice); },
                   .align = Align::Right,
                   .spare = 1},
                  call_sites<Line>()},
      .none = "The report holds no cast that AMP inserted."};
  return kView;
}

}  // namespace

View casts_view(std::vector<queries::CastRow> rows, const std::optional<analysis::Grouping>& grouping) {
  auto lines = analysis::grouped(std::move(rows), grouping);
  std::ranges::stable_sort(lines, std::greater(), [](const Line& line) { return line.row.total.bytes; });
  return view_of(casts(), lines, hidden_without(grouping));
}

}  // namespace ampprof::views
