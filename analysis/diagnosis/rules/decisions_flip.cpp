// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/diagnosis/diagnosis_rule.h"
#include "analysis/diagnosis/rules/remedies.h"
#include "analysis/diagnosis/symptoms.h"
#include "reports/queries/decisions.h"
#include "reports/queries/losses.h"
#include "reports/queries/ops.h"
#include "reports/text/numbers.h"

namespace ampprof::analysis {
namespace {

constexpr double kMatters = 1e-3;  // of the loss

/// Returns the root mean square change of the loss by decisions; 0 where none is known.
double change_by_decisions(const Symptoms& symptoms) {
  double squares = 0.0;
  double values = 0.0;
  for (const queries::LossRow* row : symptoms.losses) {
    if (!row->by_decisions || !std::isfinite(*row->by_decisions)) continue;
    squares += *row->by_decisions * *row->by_decisions;
    values += 1;
  }
  return values > 0 ? std::sqrt(squares / values) : 0.0;
}

double share_of(const queries::DecisionRow& row) {
  return static_cast<double>(row.differing) / static_cast<double>(std::max<std::int64_t>(row.decisions, 1));
}

/// Returns the first op of the program of those that decide otherwise most often: what decides later may follow it.
const queries::DecisionRow* first_to_differ(const Symptoms& symptoms) {
  const queries::DecisionRow* first = nullptr;
  for (const queries::DecisionRow* row : symptoms.decisions) {
    if (row->differing == 0 || row->phase != Phase::Forward) continue;
    if (first == nullptr || row->call_site_id < first->call_site_id) first = row;
  }
  return first;
}

std::vector<Finding> find(const Symptoms& symptoms) {
  const double change = change_by_decisions(symptoms);
  const double loss = symptoms.loss_size();
  const queries::DecisionRow* first = first_to_differ(symptoms);
  if (first == nullptr || loss == 0.0 || change < kMatters * loss) return {};
  const bool rounds = is_cast(first->op);
  return {{.culprit = culprit_of(*first),
           .mechanism =
               fmt::format("{} {}: {} of its {} results differ from those of exact values ({}). They go on as "
                           "{}, so the error is a jump and not a small one.",
                           first->call_site, rounds ? "makes integers of rounded values" : "decides by rounded values",
                           text::count(first->differing), text::count(first->decisions),
                           text::percent(share_of(*first)), rounds ? "integers" : "indices or masks"),
           .consequence = fmt::format("This changes the loss by {} a step ({} of it).", text::scientific(change),
                                      text::percent(change / loss)),
           .cost = std::min(1.0, change / loss),
           .confidence = Confidence::Certain,
           .remedies = {
               {.text = fmt::format("Compute the inputs of {} in FP32{}.", first->call_site, at_line(first->source)),
                .word = word_for_fp32(first->module)}}}};
}

}  // namespace

DiagnosisRule decisions_flip() {
  return {"decisions_flip", "Choices, indices or rounded numbers differ from those of exact arithmetic.", find};
}

}  // namespace ampprof::analysis
