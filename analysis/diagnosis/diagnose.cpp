// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/diagnose.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "analysis/diagnosis/diagnosis_rule.h"
#include "analysis/diagnosis/symptoms.h"
#include "analysis/ranks/report_rows.h"

namespace ampprof::analysis {
namespace {

bool is_same(const Finding& a, const Finding& b) {
  return a.kind == b.kind && a.culprit.call_site == b.culprit.call_site && a.culprit.source == b.culprit.source;
}

void add(std::vector<Finding>& findings, Finding finding) {
  const auto same = std::ranges::find_if(findings, [&](const Finding& each) { return is_same(each, finding); });
  if (same == findings.end()) {
    findings.push_back(std::move(finding));
    return;
  }
  std::vector<std::int64_t> runs = same->runs;
  if (runs.back() != finding.runs.front()) runs.push_back(finding.runs.front());
  if (finding.cost > same->cost) *same = std::move(finding);
  same->runs = std::move(runs);
}

}  // namespace

std::vector<Finding> diagnose(const ReportRows& rows) {
  std::vector<Finding> findings;
  for (const queries::RunRow& run : rows.shown()) {
    const Symptoms symptoms(rows, run);
    for (const DiagnosisRule& rule : all_diagnosis_rules()) {
      for (Finding& finding : rule.find(symptoms)) {
        finding.kind = rule.id;
        finding.runs = {run.run};
        add(findings, std::move(finding));
      }
    }
  }
  std::ranges::stable_sort(findings, std::greater(), &Finding::cost);
  return findings;
}

}  // namespace ampprof::analysis
