// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "analysis/diagnosis/diagnosis_rule.h"
#include "analysis/diagnosis/event_groups.h"
#include "analysis/diagnosis/rules/remedies.h"
#include "analysis/diagnosis/symptoms.h"
#include "precision/advice/functions.h"
#include "precision/rules/rule.h"
#include "reports/queries/events.h"
#include "reports/queries/ops.h"
#include "reports/text/numbers.h"

namespace ampprof::analysis {
namespace {

/// Returns the op of the optimizer that adds a constant which is flushed to 0, the one with the largest flushed share.
/// Null if there is none.
const queries::OpRow* flushed_addition(const Symptoms& symptoms) {
  const auto flushed = [](const queries::OpRow* op) -> std::int64_t {
    const std::string function = advice::function_of(op->op);
    const bool adds = function == "add_" || function == "add" || function == "_foreach_add_";
    return op->phase == Phase::Optimizer && adds && op->local ? op->local->flushed : 0;
  };
  const auto op = std::ranges::max_element(symptoms.ops, {}, flushed);
  return op == symptoms.ops.end() || flushed(*op) == 0 ? nullptr : *op;
}

Finding finding_of(const EventGroup& group, const Symptoms& symptoms) {
  const queries::EventRow& event = *group.worst;
  const queries::OpRow* addition = flushed_addition(symptoms);
  const std::string why =
      addition == nullptr
          ? "A constant such as eps is 0 in the type of the weights."
          : fmt::format("{} adds a constant that is 0 in {}: {} of its results are flushed to 0.", addition->call_site,
                        rules::name_for_people(addition->dtype_out), text::count(addition->local->flushed));
  return {.culprit = addition ? culprit_of(*addition) : culprit_of_origin(event, symptoms.op_at(event.first_op)),
          .mechanism = fmt::format("{} {} then makes NaN or inf ({}).", why, event.first_op, name_of(event.cause)),
          .consequence = consequence_of(group, symptoms),
          .cost = cost_of(group, symptoms),
          .confidence = addition ? Confidence::Certain : Confidence::Likely,
          .remedies = {{.text = "Set an eps well above the smallest number of the type, such as 1e-4 in FP16.",
                        .code = "eps=1e-4",
                        .word = "eps=1e-4"},
                       {.text = "Keep the weights and the optimizer's state in FP32, and cast in the forward pass with "
                                "torch.autocast.",
                        .word = "master_weights"}}};
}

std::vector<Finding> find(const Symptoms& symptoms) {
  return findings_of(symptoms, EventKind::InOptimizer, finding_of);
}

}  // namespace

DiagnosisRule optimizer_constant() {
  return {"optimizer_constant", "A constant of the optimizer is below the range of its type.", find};
}

}  // namespace ampprof::analysis
