// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "analysis/diagnosis/diagnosis_rule.h"
#include "analysis/diagnosis/event_groups.h"
#include "analysis/diagnosis/rules/remedies.h"
#include "analysis/diagnosis/sent_gradients.h"
#include "analysis/diagnosis/symptoms.h"
#include "precision/rules/rule.h"
#include "reports/queries/events.h"
#include "reports/queries/ops.h"
#include "reports/text/numbers.h"

namespace ampprof::analysis {
namespace {

constexpr double kMuchFlushed = 0.25;  // share of the values that become 0

Remedy send_otherwise(const queries::OpRow& cast) {
  return {
      .text = fmt::format("Send gradients{} in FP32, without a communication hook that casts, or in BF16, which has "
                          "the range of FP32.",
                          at_line(cast.source)),
      .code = "model.register_comm_hook(None, default_hooks.bf16_compress_hook)"};
}

std::string begin_of(const queries::OpRow& cast) {
  return fmt::format("Gradients are cast to {} before they are sent to other ranks ({})",
                     rules::name_for_people(cast.dtype_out), cast.call_site);
}

Finding finding_of(const EventGroup& group, const Symptoms& symptoms) {
  const queries::OpRow& cast = *symptoms.op_at(group.worst->first_op);
  const std::string value = group.worst->value ? text::number(*group.worst->value) : "a number";
  return {.culprit = culprit_of(cast),
          .mechanism = fmt::format("{}, which cannot represent {}.", begin_of(cast), value),
          .consequence = consequence_of(group, symptoms),
          .cost = cost_of(group, symptoms),
          .confidence = Confidence::Certain,
          .remedies = {send_otherwise(cast)}};
}

Finding finding_of_flush(const queries::OpRow& cast) {
  const double share = static_cast<double>(cast.local->flushed) / static_cast<double>(cast.local->count);
  return {.culprit = culprit_of(cast),
          .mechanism = fmt::format("{}. {} of {} are below the range of this type and become 0.", begin_of(cast),
                                   text::count(cast.local->flushed), text::counted(cast.local->count, "value")),
          .consequence = fmt::format("{} of the gradient is 0 on all ranks: its parameters learn little or nothing.",
                                     text::percent(share)),
          .cost = share,
          .confidence = Confidence::Likely,
          .remedies = {send_otherwise(cast), {"Multiply the loss by a loss scale, and divide gradients by it."}}};
}

std::vector<Finding> find(const Symptoms& symptoms) {
  auto findings = findings_of(symptoms, EventKind::SentToRanks, finding_of);
  const queries::OpRow* cast = cast_of_sent_gradients(symptoms);
  if (!findings.empty() || cast == nullptr || !cast->local || cast->local->count == 0) return findings;
  if (static_cast<double>(cast->local->flushed) > kMuchFlushed * static_cast<double>(cast->local->count)) {
    findings.push_back(finding_of_flush(*cast));
  }
  return findings;
}

}  // namespace

DiagnosisRule communication_cast() {
  return {"communication_cast", "Gradients are sent to other ranks in a type that cannot represent them.", find};
}

}  // namespace ampprof::analysis
