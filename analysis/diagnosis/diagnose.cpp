// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/diagnose.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "analysis/diagnosis/diagnosis_rule.h"
#include "analysis/diagnosis/in_cpp.h"
#include "analysis/diagnosis/symptoms.h"
#include "analysis/ranks/report_rows.h"
#include "reports/queries/ops.h"
#include "reports/queries/runs.h"
#include "reports/recording/options.h"

namespace ampprof::analysis {
namespace {

void add(std::vector<Finding>& findings, Finding finding) {
  const auto same = std::ranges::find_if(findings, [&](const Finding& each) { return is_same_finding(each, finding); });
  if (same == findings.end()) {
    findings.push_back(std::move(finding));
    return;
  }
  std::vector<std::int64_t> runs = same->runs;
  if (runs.back() != finding.runs.front()) runs.push_back(finding.runs.front());
  if (finding.cost > same->cost) *same = std::move(finding);
  same->runs = std::move(runs);
}

/// Adds to each remedy the result of the run that tried it. Puts refuted remedies last.
void add_outcomes(const std::vector<queries::ConfirmationRow>& rows, Finding& finding) {
  for (const auto& [run, confirmation] : rows) {
    if (run != finding.runs.front() || confirmation.kind != finding.kind) continue;
    for (Remedy& remedy : finding.remedies) {
      if (remedy.trial() != confirmation.remedy) continue;
      remedy.helped = confirmation.helped;
      remedy.outcome = confirmation.outcome;
    }
    if (confirmation.helped && !confirmation.explains.empty())
      finding.explains = recording::parts_of(confirmation.explains);
  }
  std::stable_partition(finding.remedies.begin(), finding.remedies.end(),
                        [](const Remedy& remedy) { return remedy.helped.value_or(true); });
}

bool is_in_cpp(const Symptoms& symptoms) {
  return !symptoms.run.program.starts_with("python") &&
         std::ranges::any_of(symptoms.ops, [](const queries::OpRow* op) { return is_cpp_source(op->source); });
}

/// Translates the code of remedies, which rules write in Python, into C++.
void write_in_cpp(Finding& finding) {
  for (Remedy& remedy : finding.remedies) remedy.code = in_cpp(remedy.code);
}

}  // namespace

bool is_same_finding(const Finding& a, const Finding& b) {
  return a.kind == b.kind && a.culprit.call_site == b.culprit.call_site && a.culprit.source == b.culprit.source;
}

std::vector<Finding> diagnose(const ReportRows& rows) {
  std::vector<Finding> findings;
  for (const queries::RunRow& run : rows.shown()) {
    const Symptoms symptoms(rows, run);
    const bool is_cpp = is_in_cpp(symptoms);
    bool has_any = false;
    for (const DiagnosisRule& rule : all_diagnosis_rules()) {
      if (rule.is_last_resort && has_any) continue;
      for (Finding& finding : rule.find(symptoms)) {
        has_any = true;
        finding.kind = rule.id;
        finding.runs = {run.run};
        if (is_cpp) write_in_cpp(finding);
        add(findings, std::move(finding));
      }
    }
  }
  for (Finding& finding : findings) add_outcomes(rows.confirmations, finding);
  std::ranges::stable_sort(findings, std::greater(), &Finding::cost);
  return findings;
}

}  // namespace ampprof::analysis
