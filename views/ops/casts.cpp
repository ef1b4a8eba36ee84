// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/casts.h"

#include <algorithm>
#include <functional>

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
                   .about = "Call site that the cast was inserted for.",
                   .value = [](const Line& line) -> Value { return line.row.call_site; },
                   .title = "for call site",
                   .cell = [](const Line& line) -> Cell { return {short_site(line.row.call_site, line.row.phase)}; },
                   .flexible = true},
                  site_phase<Line>(),
                  site_module<Line>(),
                  site_op<Line>(),
                  site_source<Line>(),
                  {.key = "dtype_from",
                   .about = "Type before the cast.",
                   .value = [](const Line& line) -> Value { return std::string(short_name(line.row.total.from)); }},
                  {.key = "dtype_to",
                   .about = "Type after the cast.",
                   .value = [](const Line& line) -> Value { return std::string(short_name(line.row.total.to)); },
                   .title = "cast",
                   .cell = [](const Line& line) -> Cell {
                     return {std::string(short_name(line.row.total.from)) + ">" +
                             std::string(short_name(line.row.total.to))};
                   }},
                  number_column<Line>(
                      {"casts", "Number of casts that AMP or torch.autocast inserted."},
                      [](const Line& line) { return line.row.total.casts; }, "casts", text::count),
                  number_column<Line>(
                      {"cache_hits", "Number of casts that wrote nothing, because the cache had their result."},
                      [](const Line& line) { return line.row.total.cache_hits; }, "from cache", text::count,
                      {.spare = 2}),
                  number_column<Line>(
                      {"bytes", "Bytes that the casts wrote."}, [](const Line& line) { return line.row.total.bytes; },
                      "written", text::bytes),
                  number_column<Line>({"cpu_us", "CPU time of the casts."}, cpu_us, "CPU time", text::microseconds),
                  number_column<Line>(
                      {"rounded_twice",
                       "Number of casts of a value that had already been rounded to another reduced type."},
                      [](const Line& line) { return line.row.total.rounded_twice; }, "rounded twice", text::count,
                      {.spare = 1, .tone = text::Tone::Attention}),
                  call_sites<Line>()},
      .none = "The report holds no cast that AMP or torch.autocast inserted.",
      .remedy = "Record casts with ampprof run --levels O1."};
  return kView;
}

}  // namespace

View casts_view(std::vector<queries::CastRow> rows, const std::optional<analysis::Grouping>& grouping) {
  auto lines = analysis::grouped(std::move(rows), grouping);
  std::ranges::stable_sort(lines, std::greater(), [](const Line& line) { return line.row.total.bytes; });
  return view_of(casts(), lines, hidden_without(grouping));
}

}  // namespace ampprof::views
