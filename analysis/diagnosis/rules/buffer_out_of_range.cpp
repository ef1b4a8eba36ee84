// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "analysis/diagnosis/diagnosis_rule.h"
#include "analysis/diagnosis/event_groups.h"
#include "analysis/diagnosis/rules/remedies.h"
#include "analysis/diagnosis/symptoms.h"
#include "precision/rules/rule.h"
#include "reports/queries/events.h"
#include "reports/queries/ops.h"
#include "reports/text/numbers.h"

namespace ampprof::analysis {
namespace {

Finding finding_of(const EventGroup& group, const Symptoms& symptoms) {
  const queries::EventRow& event = *group.worst;
  const queries::OpRow& op = *symptoms.op_at(event.first_op);
  const std::string module = op.module.empty() ? "the module" : op.module;
  const std::string buffer = event.reached.empty() ? "a buffer" : event.reached;
  return {
      .culprit = culprit_of(op),
      .mechanism =
          is_cast(op.op)
              ? fmt::format("The cast of {} to {}{} turns {} into inf.", buffer, rules::name_for_people(op.dtype_out),
                            at_line(op.source), event.value ? text::number(*event.value) : "a finite value")
              : fmt::format("{} adds to {}, which is in FP16 and becomes inf. The output of {} is finite in training, "
                            "which uses the statistics of the batch; inference uses the buffer.",
                            op.call_site, buffer, op.call_site),
      .consequence = consequence_of(group, symptoms),
      .cost = cost_of(group, symptoms),
      .confidence = Confidence::Certain,
      .remedies = {{.text = fmt::format("Keep {} in FP32, and cast its inputs and outputs.", module),
                    .code = op.module.empty() ? "" : fmt::format("model.get_submodule(\"{}\").float()", op.module),
                    .word = word_for_fp32(op.module)},
                   {"Use BF16, which has the range of FP32."}}};
}

std::vector<Finding> find(const Symptoms& symptoms) {
  return findings_of(symptoms, EventKind::OverflowOfBuffer, finding_of);
}

}  // namespace

DiagnosisRule buffer_out_of_range() {
  return {"buffer_out_of_range", "A statistic of a module is kept in a type that cannot represent it.", find};
}

}  // namespace ampprof::analysis
