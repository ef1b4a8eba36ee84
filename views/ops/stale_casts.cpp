// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/stale_casts.h"

#include <algorithm>
#include <functional>

#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/ops/site_columns.h"
#include "views/ops/views.h"
#include "views/table/column.h"

namespace ampprof::views {
namespace {

using StaleLine = queries::StaleCastRow;

const ViewOf<StaleLine>& stale_casts() {
  static const ViewOf<StaleLine> kView{
      .name = "stale-casts",
      .columns = {run_id<StaleLine>(),
                  run_level<StaleLine>(),
                  {.key = "parameter",
                   .about = "Parameter that was written after the cast. Null if it has no name.",
                   .value = [](const StaleLine& line) { return known(line.total.parameter); },
                   .title = "parameter",
                   .cell = [](const StaleLine& line) { return text_cell(line.total.parameter); },
                   .flexible = true},
                  site_name<StaleLine>("used by"),
                  site_phase<StaleLine>(),
                  site_module<StaleLine>(),
                  site_op<StaleLine>(),
                  site_source<StaleLine>("call_site"),
                  dtype_column<StaleLine>([](const StaleLine& line) { return line.total.dtype; }),
                  number_column<StaleLine>(
                      {"hits", "Number of uses of the stale copy."}, [](const StaleLine& line) { return line.hits; },
                      "hits", text::count),
                  number_column<StaleLine>(
                      {"steps_old", "Steps from the oldest cast to its use.", "steps"},
                      [](const StaleLine& line) { return line.steps_old; }, "steps old", text::count),
                  number_column<StaleLine>(
                      {"differing_share", "Share of the elements that a new cast would change."},
                      [](const StaleLine& line) { return line.total.differing_share(); }, "differ", text::percent),
                  number_column<StaleLine>(
                      {"relative_change",
                       "L2 norm of the difference between the stale copy and a new cast, divided by the norm of the "
                       "new cast. Infinite if the parameter is now 0, not finite or of another shape."},
                      [](const StaleLine& line) { return line.total.relative_change(); }, "off by", text::scientific,
                      {.tone = text::Tone::Bad})},
      .none = "No call of the report is known to have computed with a stale cast.",
      .remedy = "There is nothing to do: ampprof run always looks for stale casts.",
      .notes =
          "Local errors and loss impacts ignore the age of a copy and the values that a stale copy was rounded from."};
  return kView;
}

}  // namespace

View stale_casts_view(std::vector<queries::StaleCastRow> rows) {
  std::ranges::stable_sort(rows, std::greater(), [](const StaleLine& line) { return line.total.relative_change(); });
  return view_of(stale_casts(), rows);
}

}  // namespace ampprof::views
