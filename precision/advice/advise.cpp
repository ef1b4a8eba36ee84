// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/advise.h"

#include <fmt/format.h>

#include <algorithm>

#include "precision/advice/cover.h"
#include "precision/advice/evidence.h"
#include "precision/advice/policy_evaluation.h"
#include "reports/queries/ops.h"

namespace ampprof::advice {
namespace {

constexpr double kOutstanding = 0x1p-7;  // relative error that stands out; one rounding to FP16 gives 2^-11 at most

using Places = PolicyEvaluation::Places;

Places mandatory(const std::vector<FunctionInModule>& candidates) {
  Places places;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (!candidates[i].reasons.empty()) places.push_back(i);
  }
  return places;
}

/// Picks the candidates whose local error stands out. There is no goal to reach: local errors do not add up, so a
/// policy cannot reduce their sum.
Places outstanding(const std::vector<FunctionInModule>& candidates) {
  Places places;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const bool stands_out = candidates[i].cannot.empty() && local_error_of(candidates[i]) >= kOutstanding;
    if (!candidates[i].reasons.empty() || stands_out) places.push_back(i);
  }
  return places;
}

/// Returns the largest loss impact that the policy may leave.
double goal_of(const Advice& advice, const Options& options) {
  return std::max(advice.tolerance, options.target_share * *advice.impact_before);
}

Places covering(const PolicyEvaluation& evaluation, double goal) {
  CoverTask task{.rest = evaluation.rest(), .goal = goal};
  Places candidates;
  for (std::size_t i = 0; i < evaluation.candidates().size(); ++i) {
    const FunctionInModule& candidate = evaluation.candidates()[i];
    if (!candidate.cannot.empty()) {
      add(task.rest, candidate.effects);
    } else if (!candidate.reasons.empty() || predicted_impact(candidate.effects) != 0.0) {
      if (!candidate.reasons.empty()) task.mandatory.push_back(candidates.size());
      candidates.push_back(i);
      task.parts.push_back(candidate.effects);
    }
  }
  Places chosen;
  for (const std::size_t place : smallest_cover(task)) chosen.push_back(candidates[place]);
  return chosen;
}

void note_what_is_left(Advice& advice, const Options& options, bool has_local_errors) {
  if (advice.policy.empty() && advice.impact_before) {
    advice.notes.push_back(
        fmt::format("{}: the expected loss impact is {:.2g}, and the tolerance is {:.2g}.",
                    advice.not_repaired.empty() ? "No function needs FP32" : "No rounding error requires FP32",
                    *advice.impact_before, advice.tolerance));
  } else if (advice.policy.empty()) {
    advice.notes.push_back(has_local_errors ? "No function overflows or has a large local error."
                                            : "No function is known to overflow, and no local error was measured.");
  }
  if (!advice.impact_after) return;
  const double goal = goal_of(advice, options);
  if (*advice.impact_after <= goal) return;
  advice.notes.push_back(
      fmt::format("An expected loss impact of {:.2g} remains, more than the target of {:.2g}: it comes from ops that "
                  "no policy rule applies to.",
                  *advice.impact_after, goal));
}

}  // namespace

Places proposed(const PolicyEvaluation& evaluation) {
  const Advice nothing = evaluation.advice({});
  if (nothing.basis == RankingBasis::LocalError) return outstanding(evaluation.candidates());
  if (!nothing.impact_before) return mandatory(evaluation.candidates());
  return covering(evaluation, goal_of(nothing, evaluation.options()));
}

Advice advise(const Evidence& evidence, const Options& options) {
  const PolicyEvaluation evaluation(evidence, options);
  Advice advice = evaluation.advice(proposed(evaluation));
  const auto has_local_error = [](const queries::OpRow& op) { return op.local.has_value(); };
  note_what_is_left(advice, options, std::ranges::any_of(evidence.ops, has_local_error));
  if (evaluation.run().has_compiled_regions) {
    advice.notes.push_back(
        "Functions inside torch.compile cannot be judged one by one. Record with ampprof run --eager=both to judge "
        "them, too.");
  }
  return advice;
}

std::vector<std::string> all_notes(const Advice& advice) {
  std::vector<std::string> notes = advice.notes;
  for (const NotRepaired& op : advice.not_repaired) notes.push_back(op.note);
  return notes;
}

amp::Policy policy_of(const Advice& advice) {
  amp::Policy policy;
  for (const Registration& registration : advice.policy) {
    policy.rules.push_back({registration.op, amp::CastPolicy::Fp32, registration.module});
  }
  return policy;
}

}  // namespace ampprof::advice
