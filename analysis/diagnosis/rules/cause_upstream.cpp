// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/diagnosis/diagnosis_rule.h"
#include "analysis/diagnosis/event_groups.h"
#include "analysis/diagnosis/flushed_input.h"
#include "analysis/diagnosis/rules/remedies.h"
#include "analysis/diagnosis/symptoms.h"
#include "precision/rules/rule.h"
#include "reports/queries/events.h"
#include "reports/queries/ops.h"
#include "reports/text/numbers.h"

namespace ampprof::analysis {
namespace {

/// Returns the first op before `origin`, in its phase, whose inherited error is large, so that the inputs of `origin`
/// are wrong. Null if there is none.
const queries::OpRow* amplifier_before(const queries::OpRow& origin, const Symptoms& symptoms) {
  const queries::OpRow* first = nullptr;
  for (const queries::OpRow* op : symptoms.ops) {
    if (op->phase != origin.phase || op->call_site_id >= origin.call_site_id || !op->inherited) continue;
    const double inherited = op->inherited->relative_l2();
    if (!std::isfinite(inherited) || inherited < kUselessError) continue;
    if (first == nullptr || op->call_site_id < first->call_site_id) first = op;
  }
  return first;
}

/// Returns the remedy for an input that was flushed to 0.
std::vector<Remedy> keep_from_zero(const queries::OpRow& flush, const queries::EventRow& event) {
  const bool adds_eps = flush.op.starts_with("add") || flush.op.starts_with("clamp");
  const auto guard = guard_for(event);
  return {{.text = fmt::format("{}, or compute {} and its inputs in FP32. FP32 for the op alone does not help, since "
                               "its input is already 0.",
                               adds_eps || !guard ? "Use a larger eps that the type can represent" : *guard,
                               event.first_op),
           .code = module_in_fp32(flush.module),
           .word = word_for_fp32(flush.module)}};
}

/// Returns the remedies if the report does not show which op made the inputs wrong. `module` is that of the event's
/// first op; "" if it is in none.
std::vector<Remedy> compute_inputs_in_fp32(const queries::EventRow& event, const std::string& module) {
  std::vector<Remedy> remedies;
  if (const auto guard = guard_for(event)) remedies.push_back({*guard + "."});
  const std::string what =
      module.empty() ? "the inputs of " + event.first_op : fmt::format("all of {}, with {},", module, event.first_op);
  remedies.push_back(
      {.text = fmt::format("Compute {} in FP32. The report does not show which earlier op is to blame; FP32 for {} "
                           "alone does not help.",
                           what, event.first_op),
       .code = module_in_fp32(module),
       .word = word_for_fp32(module)});
  return remedies;
}

Finding finding_of(const EventGroup& group, const Symptoms& symptoms) {
  const queries::EventRow& event = *group.worst;
  const queries::OpRow* origin = symptoms.op_at(event.first_op);
  const queries::OpRow* amplifier = origin ? amplifier_before(*origin, symptoms) : nullptr;
  Finding finding{
      .culprit = culprit_of_origin(event, origin),
      .mechanism = fmt::format("{} makes NaN or inf ({}) from inputs that exact arithmetic would not produce.",
                               event.first_op, name_of(event.cause)),
      .consequence = consequence_of(group, symptoms),
      .cost = cost_of(group, symptoms),
      .confidence = Confidence::Likely};
  if (const queries::OpRow* flush = origin && !amplifier ? flushed_input_of(*origin, symptoms) : nullptr) {
    finding.culprit = culprit_of(*flush);
    finding.mechanism =
        fmt::format("{} of the results of {} are 0 in {} but not in FP32. {} then makes NaN or inf ({}).",
                    text::count(flush->local->flushed), flush->call_site, rules::name_for_people(flush->dtype_out),
                    event.first_op, name_of(event.cause));
    finding.remedies = keep_from_zero(*flush, event);
    return finding;
  }
  if (amplifier == nullptr) {
    finding.remedies = compute_inputs_in_fp32(event, origin ? origin->module : "");
    return finding;
  }
  finding.culprit = culprit_of(*amplifier);
  finding.mechanism = fmt::format(
      "{} is off by {} although its own rounding error is {}: it amplifies the rounding errors of its inputs. {} then "
      "makes NaN or inf from it ({}).",
      amplifier->call_site, text::percent(amplifier->inherited->relative_l2()),
      amplifier->local ? text::scientific(amplifier->local->relative_l2()) : "small", event.first_op,
      name_of(event.cause));
  finding.remedies = {
      {.text = fmt::format("Compute all of {} in FP32, from the inputs of {} to {}. FP32 for {} alone does not help.",
                           amplifier->module.empty() ? "the path" : amplifier->module, amplifier->call_site,
                           event.first_op, event.first_op),
       .code = module_in_fp32(amplifier->module),
       .word = word_for_fp32(amplifier->module)}};
  return finding;
}

std::vector<Finding> find(const Symptoms& symptoms) {
  return findings_of(symptoms, EventKind::CausedUpstream, finding_of);
}

}  // namespace

DiagnosisRule cause_upstream() {
  return {"cause_upstream", "Rounding in earlier ops makes an op return NaN or inf.", find};
}

}  // namespace ampprof::analysis
