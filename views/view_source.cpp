// SPDX-License-Identifier: Apache-2.0
#include "views/view_source.h"

#include <utility>

#include "analysis/ranks/report_rows.h"
#include "analysis/ranks/representatives.h"
#include "reports/queries/missing.h"
#include "reports/queries/ops.h"
#include "reports/queries/probes.h"
#include "reports/queries/runs.h"
#include "views/diagnosis/answer.h"
#include "views/diagnosis/missing.h"
#include "views/diagnosis/summary.h"

namespace ampprof::views {

const std::vector<queries::OpRow>& ViewSource::ops() {
  if (!read_ops) {
    read_ops = std::make_shared<const std::vector<queries::OpRow>>(of_steps(queries::ops));
    targets.learn_from(*read_ops);
    targets.learn_from(analysis::Probes(of_runs(queries::probe_times), of_runs(queries::probe_algorithms)));
  }
  return *read_ops;
}

std::vector<queries::RunName> ViewSource::names() const {
  std::vector<queries::RunName> names;
  for (const queries::RunRow& run : runs) names.push_back({run.run, run.level});
  return names;
}

std::vector<queries::MissingRow> ViewSource::missing() const { return missing_of(report, runs); }

analysis::ReportRows rows_of(ViewSource& source) {
  auto representatives = analysis::representatives_of(source.report, source.runs);
  ViewSource shown{source.report, representatives ? representatives->runs : source.runs, source.targets};
  if (!representatives) shown.read_ops = source.read_ops;
  analysis::ReportRows rows = analysis::read_rows(source.report, shown.runs, shown.ops());
  if (!representatives) source.read_ops = shown.read_ops;
  source.targets = shown.targets;
  rows.runs = source.runs;
  rows.missing = source.missing();
  rows.representatives = std::move(representatives);
  return rows;
}

std::vector<Sentence> answer_of(ViewSource& source) { return answer(rows_of(source), source.targets); }

std::string summary_of(ViewSource& source, const std::filesystem::path& report, double threshold, Format format,
                       const text::Terminal& terminal) {
  analysis::ReportRows rows = rows_of(source);
  rows.threshold = threshold;
  return summary(report, rows, source.targets, format, terminal);
}

}  // namespace ampprof::views
