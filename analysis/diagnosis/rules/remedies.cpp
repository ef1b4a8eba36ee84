// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/rules/remedies.h"

#include <fmt/format.h>

#include <algorithm>

#include "amp_core/policy/cast_rule.h"
#include "amp_core/policy/module_pattern.h"
#include "analysis/diagnosis/symptoms.h"
#include "precision/advice/functions.h"
#include "precision/rules/rule.h"
#include "reports/queries/events.h"
#include "reports/queries/ops.h"
#include "reports/queries/runs.h"
#include "reports/records/compiled_region.h"
#include "reports/records/dtype.h"
#include "reports/text/listed.h"
#include "reports/text/numbers.h"

namespace ampprof::analysis {
namespace {

/// Returns whether policy rules apply to the run's calls. They do if O1 or autocast casts at function calls.
bool takes_policies(const queries::RunRow& run) { return run.casts > 0; }

/// Returns whether a policy line for `function` without a module would also change calls outside of `module`. Calls
/// that are already in FP32 do not count: the line leaves them as they are.
bool is_called_elsewhere(const std::string& function, const std::string& module, const Symptoms& symptoms) {
  return std::ranges::any_of(symptoms.ops, [&](const queries::OpRow* op) {
    const bool is_call = op->phase != Phase::Backward && op->phase != Phase::Optimizer;
    const bool is_reduced = is_reduced_precision(op->dtype_in) || is_reduced_precision(op->dtype_out);
    return is_call && is_reduced && advice::function_of(op->op) == function &&
           !amp::matches_module(module, op->module);
  });
}

std::string policy_line(const std::string& function, const std::string& module) {
  return amp::to_text(amp::CastRule{function, amp::CastPolicy::Fp32, module});
}

}  // namespace

Culprit culprit_of_origin(const queries::EventRow& event, const queries::OpRow* op) {
  if (op != nullptr) return culprit_of(*op);
  return {.call_site = event.first_op, .source = event.first_op_source};
}

std::vector<Remedy> compute_in_fp32(std::string_view call_site, const queries::OpRow* op, const Symptoms& symptoms) {
  const std::string line = op ? at_line(op->source) : "";
  if (op != nullptr && is_cast(op->op)) {
    return {{fmt::format("Remove the cast to {}{}, or cast to BF16, which has the range of FP32.",
                         rules::name_for_people(op->dtype_out), line)}};
  }
  if (call_site.find(kCompiledRegion) != std::string_view::npos) {
    return {
        {"Record the program without torch.compile, to see which op of the compiled graph is to blame: ampprof run "
         "--eager."}};
  }
  if (op == nullptr || advice::is_in_place(op->op) || !takes_policies(symptoms.run)) {
    return {
        {fmt::format("Compute {} in FP32{}: call .float() on its inputs, and cast the result back once it fits. BF16 "
                     "has the range of FP32, too.",
                     call_site, line)}};
  }
  const std::string function = advice::function_of(op->op);
  const std::string module = is_called_elsewhere(function, op->module, symptoms) ? op->module : "";
  const std::string line_of_policy = policy_line(function, module);
  return {{.text = fmt::format("Run {}{} in FP32.", function, in_module(module)),
           .code = line_of_policy,
           .policy = line_of_policy}};
}

std::string module_in_fp32(std::string_view module) {
  if (module.empty()) return "";
  return fmt::format(
      "with torch.autocast(x.device.type, enabled=False):\n"
      "    y = {}(x.float())",
      module);
}

std::string word_for_fp32(std::string_view module) {
  return module.empty() || module.find(',') != std::string_view::npos ? "" : fmt::format("fp32_module={}", module);
}

std::optional<std::string> guard_for(const queries::EventRow& event) {
  const bool is_backward = event.first_op_phase == Phase::Backward;
  switch (event.cause) {
    case NonfiniteCause::DivisionByZero:
      if (is_backward) return "Keep the input away from 0, where the derivative is infinite: x.clamp(min=eps)";
      return "Add a small constant to the divisor, or leave out elements whose divisor is 0";
    case NonfiniteCause::LogOfZero:
      return "Clamp the input of the logarithm: x.clamp(min=eps).log(), with an eps that the type can represent";
    case NonfiniteCause::RootOfNegative:
      return "Keep the input of the root above 0: x.clamp(min=eps), with an eps that the type can represent";
    case NonfiniteCause::AllMasked:
      return "Mask with a large finite number, or leave out rows in which everything is masked";
    default:
      return std::nullopt;
  }
}

Remedy begin_with_scale(double scale) {
  const std::string begins_at = "init_scale=" + text::plain(scale);
  return {.text = fmt::format("Begin with a loss scale of {}.", text::plain(scale)),
          .code = fmt::format("GradScaler({})", begins_at),
          .word = begins_at};
}

std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> distinct;
  for (const std::string& name : names) {
    const std::string known = name.empty() ? "a tensor" : name;
    if (std::ranges::find(distinct, known) == distinct.end()) distinct.push_back(known);
  }
  const std::size_t further = distinct.size() > kNamed ? distinct.size() - kNamed : 0;
  distinct.resize(distinct.size() - further);
  if (further > 0) distinct.push_back(fmt::format("{} more", further));
  return text::listed(distinct);
}

}  // namespace ampprof::analysis
