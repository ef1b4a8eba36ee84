// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "analysis/diagnosis/diagnosis_rule.h"
#include "analysis/diagnosis/rules/remedies.h"
#include "analysis/diagnosis/symptoms.h"
#include "reports/queries/decisions.h"
#include "reports/queries/losses.h"
#include "reports/queries/ops.h"
#include "reports/text/numbers.h"

namespace ampprof::analysis {
namespace {

constexpr double kMatters = 1e-3;  // smallest change of the loss to report, as a share of the loss

/// Returns the root mean square change of the loss due to differing decisions; 0 if unknown.
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

/// Returns the first op of a phase in which more than `share` of the op's decisions differ. Later ops may differ only
/// because the first one does. If `counts` is not null, skips ops that `counts` rejects. Null if there is no such op.
const queries::DecisionRow* first_to_differ(const Symptoms& symptoms, Phase phase, double share,
                                            bool (*counts)(std::string_view op) = nullptr) {
  const queries::DecisionRow* first = nullptr;
  for (const queries::DecisionRow* row : symptoms.decisions) {
    if (row->phase != phase || share_of(*row) <= share || (counts != nullptr && !counts(row->op))) continue;
    if (first == nullptr || row->call_site_id < first->call_site_id) first = row;
  }
  return first;
}

Finding finding_of(const queries::DecisionRow& first, double cost, std::string consequence) {
  const bool rounds = is_cast(first.op);
  return {.culprit = culprit_of(first),
          .mechanism =
              fmt::format("{} {}: {} of its {} results differ from the results on exact values ({}). They are used as "
                          "{}, so even a small rounding error has a large effect.",
                          first.call_site, rounds ? "converts rounded values to integers" : "compares rounded values",
                          text::count(first.differing), text::count(first.decisions), text::percent(share_of(first)),
                          rounds ? "integers" : "indices or masks"),
          .consequence = std::move(consequence),
          .cost = std::min(1.0, cost),
          .confidence = Confidence::Certain,
          .remedies = {{.text = fmt::format("{} in FP32{}{}.",
                                            rounds ? "Keep the input of " + first.call_site
                                                   : "Compute the inputs of " + first.call_site,
                                            rounds ? " or in an integer type" : "", at_line(first.source)),
                        .word = word_for_fp32(first.module)}}};
}

std::vector<Finding> find(const Symptoms& symptoms) {
  const double change = change_by_decisions(symptoms);
  const double loss = symptoms.loss_size();
  const queries::DecisionRow* first = first_to_differ(symptoms, Phase::Forward, 0.0);
  if (first != nullptr && loss > 0.0 && change >= kMatters * loss) {
    return {finding_of(*first, change / loss,
                       fmt::format("The differing results change the loss by {} per step ({} of the loss).",
                                   text::scientific(change), text::percent(change / loss)))};
  }
  // Inference may have no loss to compare with, so the rule reports only casts to integers whose values a reduced type
  // has changed. Near ties of an argmax are ordinary.
  const queries::DecisionRow* cast = first_to_differ(symptoms, Phase::Inference, kUselessError, is_cast);
  if (cast == nullptr) return {};
  return {finding_of(*cast, share_of(*cast), "Inference uses integers that differ from those of exact arithmetic.")};
}

}  // namespace

DiagnosisRule decisions_flip() {
  return {"decisions_flip", "Choices, indices or rounded numbers differ from those of exact arithmetic.", find};
}

}  // namespace ampprof::analysis
