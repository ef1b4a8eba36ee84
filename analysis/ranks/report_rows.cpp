// SPDX-License-Identifier: Apache-2.0
#include "analysis/ranks/report_rows.h"

#include <iterator>
#include <utility>

namespace ampprof::analysis {
namespace {

template <class Row>
void read(std::vector<Row> (*query)(const queries::Report&, queries::RunFilter), const queries::Report& report,
          std::int64_t run, std::vector<Row>& rows) {
  std::ranges::move(query(report, run), std::back_inserter(rows));
}

}  // namespace

ReportRows read_rows(const queries::Report& report, const std::vector<queries::RunRow>& runs,
                     std::vector<queries::OpRow> ops) {
  ReportRows rows{.runs = runs, .ops = std::move(ops), .confirmations = queries::confirmations(report)};
  for (const queries::RunRow& run : runs) {
    read(queries::events, report, run.run, rows.events);
    read(queries::impacts, report, run.run, rows.impacts);
    read(queries::stale_casts, report, run.run, rows.stale_casts);
    read(queries::scales, report, run.run, rows.scales);
    read(queries::losses, report, run.run, rows.losses);
    read(queries::drifts, report, run.run, rows.drifts);
    read(queries::decisions, report, run.run, rows.decisions);
    read(queries::gradient_errors, report, run.run, rows.gradients);
    read(queries::updates, report, run.run, rows.updates);
  }
  return rows;
}

}  // namespace ampprof::analysis
