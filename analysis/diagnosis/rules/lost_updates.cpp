// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "analysis/diagnosis/diagnosis_rule.h"
#include "analysis/diagnosis/highlights.h"
#include "analysis/diagnosis/rules/drifting.h"
#include "analysis/diagnosis/rules/remedies.h"
#include "analysis/diagnosis/symptoms.h"
#include "precision/rules/rule.h"
#include "reports/queries/drifts.h"
#include "reports/queries/runs.h"
#include "reports/queries/updates.h"
#include "reports/records/dtype.h"
#include "reports/text/numbers.h"

namespace ampprof::analysis {
namespace {

constexpr double kMostLost = 0.5;  // share of updates; ordinary rounding to nearest loses a smaller share

std::vector<Remedy> better_updates() {
  return {{.text = "Keep FP32 master weights, and cast them in the forward pass with torch.autocast.",
           .word = "master_weights"},
          {"Keep what each update rounds away in another tensor (Kahan summation), or use stochastic rounding."}};
}

bool is_weight(const queries::DriftRow& row) { return row.of.role == DriftRole::Parameter; }

double lost_of(const queries::UpdateRow& row) {
  return static_cast<double>(*row.total.lost) / static_cast<double>(row.total.count);
}

/// Judges single steps, for runs without --inherited. An update that is lost in one step may arrive in a later one, so
/// the finding is Confidence::Possible.
std::vector<Finding> find_by_steps(const Symptoms& symptoms) {
  std::vector<const queries::UpdateRow*> rows;
  std::vector<std::string> names;
  for (const queries::UpdateRow* row : symptoms.updates) {
    if (!is_reduced_precision(row->total.dtype) || !row->total.lost || row->total.count == 0 ||
        lost_of(*row) < kMostLost || row->has_master)
      continue;
    rows.push_back(row);
    names.push_back(row->total.parameter);
  }
  if (rows.empty()) return {};
  const queries::UpdateRow& worst =
      **std::ranges::max_element(rows, {}, [](const queries::UpdateRow* row) { return lost_of(*row); });
  return {
      {.culprit = {.call_site = worst.call_site, .source = worst.source},
       .mechanism = fmt::format(
           "{} of the updates of {} leave the weight as it was: they are smaller than half the spacing of {} values.",
           text::percent(lost_of(worst)), some_of(names), rules::name_for_people(worst.total.dtype)),
       .consequence = "Weights move less than the optimizer wants, unless the program keeps what is rounded away.",
       .cost = lost_of(worst) * 0.5,
       .confidence = Confidence::Possible,
       .remedies = {{"Record the run with --inherited, which shows whether lost updates take effect later."},
                    better_updates().front()}}};
}

std::vector<Finding> find(const Symptoms& symptoms) {
  if (!has_inherited_error(symptoms.rows, symptoms.run.run)) return find_by_steps(symptoms);
  const auto rows = drifting(symptoms, is_weight);
  if (rows.empty()) return {};
  Finding finding = finding_of_drift(rows, 1.0);
  finding.consequence = fmt::format("Weights are off by {} of the distance that exact updates would move them.",
                                    text::percent(rows.front()->of.drift));
  finding.remedies = better_updates();
  return {finding};
}

}  // namespace

DiagnosisRule lost_updates() { return {"lost_updates", "Updates of weights are rounded away.", find}; }

}  // namespace ampprof::analysis
