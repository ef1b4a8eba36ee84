// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/diagnosis/diagnose.h"
#include "analysis/ranks/report_rows.h"
#include "reports/records/statistics.h"

namespace ampprof::analysis::rules_test {

/// Returns the rows of one run of 10 steps with a loss of about 1.
inline ReportRows one_run() {
  ReportRows rows;
  queries::RunRow& run = rows.runs.emplace_back();
  run.run = 1;
  run.steps = 10;
  run.casts = 30;
  run.first_loss_mean = 1.0;
  run.last_loss_mean = 0.5;
  return rows;
}

/// Adds an op call site with the next id.
inline queries::OpRow& add_op(ReportRows& rows, Phase phase, const std::string& module, const std::string& op,
                              DType type = DType::Half) {
  queries::OpRow row;
  row.run = 1;
  row.call_site_id = static_cast<std::int64_t>(rows.ops.size()) + 1;
  row.call_site = module + "/" + op;
  row.phase = phase;
  row.module = module;
  row.op = op;
  row.source = "train.py:" + std::to_string(row.call_site_id);
  row.dtype_out = type;
  return rows.ops.emplace_back(row);
}

/// Returns error statistics of 100 elements with the relative L2 error `relative`. `flushed` elements are flushed to 0.
inline ErrorStats with_error(double relative, std::int64_t flushed = 0) {
  ErrorStats error;
  error.count = 100;
  error.flushed = flushed;
  error.sum_sq_error = relative * relative;
  error.sum_sq_reference = 1.0;
  error.sum_sq_output = 1.0;
  return error;
}

/// Adds a copy of the event `like` to each of `steps`. The copies begin in `op`.
inline void add_events(ReportRows& rows, const queries::OpRow& op, const queries::EventRow& like,
                       const std::vector<std::int64_t>& steps) {
  for (const std::int64_t step : steps) {
    queries::EventRow event = like;
    event.run = 1;
    event.step = step;
    event.first_op = op.call_site;
    event.first_op_phase = op.phase;
    event.first_op_source = op.source;
    rows.events.push_back(event);
  }
}

/// Returns an event for a value that is too large for its type but fits FP32.
inline queries::EventRow too_large(NonfiniteOutcome outcome, double value = 1e5) {
  queries::EventRow event;
  event.cause = NonfiniteCause::TooLarge;
  event.value = value;
  event.fp32_holds = true;
  event.shadow_holds = true;
  event.outcome = outcome;
  return event;
}

/// Adds the drift of a BF16 tensor that lives longer than a step. `lost` sets Drift::lost.
inline Drift& add_drift(ReportRows& rows, DriftRole role, Phase phase, DriftClass verdict, double lost) {
  queries::DriftRow row;
  row.run = 1;
  row.phase = phase;
  row.call_site = "optimizer add_";
  row.of.role = role;
  row.of.parameter = role == DriftRole::Tensor ? "" : "fc.weight";
  row.of.dtype = DType::BFloat16;
  row.of.verdict = verdict;
  row.of.lost = lost;
  return rows.drifts.emplace_back(row).of;
}

/// Diagnoses `rows`. Returns the findings of one kind.
inline std::vector<Finding> found(const ReportRows& rows, std::string_view kind) {
  std::vector<Finding> findings = diagnose(rows);
  std::erase_if(findings, [&](const Finding& finding) { return finding.kind != kind; });
  return findings;
}

/// Diagnoses `rows`. Returns the kinds of all findings.
inline std::vector<std::string> kinds(const ReportRows& rows) {
  std::vector<std::string> all;
  for (const Finding& finding : diagnose(rows)) all.emplace_back(finding.kind);
  return all;
}

}  // namespace ampprof::analysis::rules_test
