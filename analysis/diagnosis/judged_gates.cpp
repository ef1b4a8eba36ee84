// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/judged_gates.h"

#include <algorithm>
#include <utility>

#include "analysis/diagnosis/diagnose.h"
#include "analysis/diagnosis/finding.h"
#include "analysis/ops/targets.h"
#include "analysis/ranks/report_rows.h"
#include "reports/gates/evidence.h"
#include "reports/gates/occasion.h"
#include "reports/gates/predicted_loss_change.h"
#include "reports/queries/impacts.h"
#include "reports/queries/missing.h"
#include "reports/queries/ops.h"
#include "reports/queries/runs.h"

namespace ampprof::analysis {
namespace {

void add_detail(const gates::Expression& expression, GateDetail& detail) {
  if (expression.metric != nullptr) {
    detail.sites = detail.sites || expression.metric->takes_phase();
    detail.findings = detail.findings || expression.metric->name.starts_with("finding");
  }
  for (const gates::Expression& operand : expression.operands) add_detail(operand, detail);
}

void collect_times(const gates::Expression& expression, std::vector<const gates::Expression*>& times) {
  const bool is_time =
      expression.operation == gates::Operation::Metric && expression.metric->unit.dimension == gates::Dimension::Time;
  if (is_time) times.push_back(&expression);
  for (const gates::Expression& operand : expression.operands) collect_times(operand, times);
}

bool compares_times(const gates::Expression& condition) {
  if (!gates::is_comparison(condition.operation)) return std::ranges::any_of(condition.operands, compares_times);
  std::vector<const gates::Expression*> times;
  collect_times(condition, times);
  return std::ranges::any_of(
      times, [&](const gates::Expression* time) { return !(time->selector == times.front()->selector); });
}

void add_findings(const std::vector<Finding>& findings, std::vector<gates::RunEvidence>& runs) {
  for (gates::RunEvidence& evidence : runs) {
    for (const Finding& finding : findings) {
      if (std::ranges::find(finding.runs, evidence.run.run) != finding.runs.end()) {
        evidence.findings.emplace_back(finding.kind);
      }
    }
  }
}

}  // namespace

GateDetail detail_for(const std::vector<Gate>& gates) {
  GateDetail detail;
  for (const Gate& gate : gates) add_detail(gate.rule.condition, detail);
  return detail;
}

bool compare_times(const std::vector<Gate>& gates) {
  return std::ranges::any_of(gates, [](const Gate& gate) { return compares_times(gate.rule.condition); });
}

std::vector<gates::RunEvidence> gate_evidence(const queries::Report& report, const std::vector<queries::RunRow>& runs,
                                              const std::string& target_gpu, GateDetail detail) {
  std::vector<gates::RunEvidence> all;
  Targets targets(runs, target_gpu);
  for (const queries::RunRow& run : runs) {
    gates::RunEvidence& evidence = all.emplace_back(gates::RunEvidence{.run = run});
    for (const queries::MissingRow& row : queries::missing(report, run.run)) evidence.missing.push_back(row.missing);
    evidence.predicted_loss_change = gates::predicted_loss_change(queries::impacts(report, run.run));
    if (!detail.sites) continue;
    std::vector<queries::OpRow> ops = queries::ops(report, run.run);
    targets.learn_from(ops);
    for (queries::OpRow& op : ops) {
      const auto verdict = targets.verdict(op);
      const auto suits = verdict ? std::optional(!misses_tensor_cores(*verdict)) : std::nullopt;
      evidence.sites.push_back({.op = std::move(op), .suits_tensor_cores = suits});
    }
  }
  if (detail.findings) add_findings(diagnose(read_rows(report, runs, queries::ops(report))), all);
  return all;
}

gates::Side side_of(const std::vector<gates::RunEvidence>& evidence, const std::vector<queries::RunRow>& meant) {
  gates::Side side;
  for (const gates::RunEvidence& run : evidence) {
    side.all.push_back(&run);
    const bool is_meant = std::ranges::any_of(meant, [&](const auto& row) { return row.run == run.run.run; });
    if (is_meant) side.meant.push_back(&run);
  }
  return side;
}

std::vector<JudgedGate> judged(const std::vector<Gate>& gates, const std::vector<gates::Occasion>& occasions) {
  std::vector<JudgedGate> results;
  for (const Gate& gate : gates) results.push_back({gates::judge(gate.rule, occasions), gate.where});
  return results;
}

std::size_t count_failed(const std::vector<JudgedGate>& gates) {
  return static_cast<std::size_t>(
      std::count_if(gates.begin(), gates.end(), [](const JudgedGate& gate) { return !gate.result.passed(); }));
}

}  // namespace ampprof::analysis
