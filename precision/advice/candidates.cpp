// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/candidates.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "amp_core/levels/properties.h"
#include "amp_core/policy/cast_rule.h"
#include "precision/advice/evidence.h"
#include "precision/advice/functions.h"
#include "reports/queries/impacts.h"
#include "reports/queries/ops.h"
#include "reports/records/compiled_region.h"

namespace ampprof::advice {
namespace {

constexpr auto kCasts =
    std::to_array<std::string_view>({"to", "_to_copy", "copy", "type", "type_as", "half", "bfloat16"});

bool computes_reduced(const queries::OpRow& op) {
  return op.phase == Phase::Forward && (op.local.has_value() || is_reduced_precision(op.dtype_out));
}

FunctionInModule& candidate_named(std::vector<FunctionInModule>& candidates, const std::string& function,
                                  const std::string& module) {
  const auto is_it = [&](const FunctionInModule& candidate) {
    return candidate.function == function && candidate.module == module;
  };
  const auto found = std::ranges::find_if(candidates, is_it);
  if (found != candidates.end()) return *found;
  FunctionInModule& candidate = candidates.emplace_back();
  candidate.function = function;
  candidate.module = module;
  return candidate;
}

Effect effect_of(const queries::ImpactRow& impact) {
  return advice::effect_of(*impact.impact, impact.size().value_or(std::abs(*impact.impact)));
}

/// Tells whether the impact comes from an error that this op call itself made.
bool is_site(const queries::OpRow& op, const queries::ImpactRow& impact) {
  const bool is_of_call = impact.source != ImpactSource::Parameter && impact.source != ImpactSource::Input;
  return is_of_call && op.call_site_id == impact.call_site_id && op.position == impact.position;
}

FunctionInModule* candidate_of(std::vector<FunctionInModule>& candidates, const queries::ImpactRow& impact) {
  for (FunctionInModule& candidate : candidates) {
    if (std::ranges::any_of(candidate.forward, [&](const queries::OpRow* op) { return is_site(*op, impact); }))
      return &candidate;
  }
  return nullptr;
}

// The name may be any text, since a report may be damaged.
bool can_be_named(const std::string& function, const std::string& module) {
  try {
    amp::check_rule({function, amp::CastPolicy::Fp32, module});
    return true;
  } catch (const amp::Error&) {
    return false;
  }
}

void set_obstacle(FunctionInModule& candidate) {
  if (is_compiled_region(candidate.function)) {
    candidate.cannot = "torch.compile fused many functions here; ampprof run --eager records each of them";
    return;
  }
  if (!can_be_named(candidate.function, candidate.module)) {
    candidate.cannot = "its name cannot be written in a policy";
    return;
  }
  if (std::ranges::find(kCasts, candidate.function) != kCasts.end()) {
    candidate.cannot = "the program itself casts here: remove the cast";
  } else if (std::ranges::any_of(candidate.forward, [](const queries::OpRow* op) { return is_in_place(op->op); })) {
    candidate.cannot =
        "it writes in place into a tensor of reduced precision: call " + candidate.function + " out of place";
  }
}

}  // namespace

std::vector<FunctionInModule> candidates_of(const Evidence& evidence) {
  std::vector<FunctionInModule> candidates;
  for (const queries::OpRow& op : evidence.ops) {
    if (computes_reduced(op)) candidate_named(candidates, function_of(op.op), op.module).forward.push_back(&op);
  }
  const ForwardFunctions functions(evidence.ops);
  for (const queries::OpRow& op : evidence.ops) {
    if (op.phase != Phase::Backward) continue;
    const auto function = functions.behind(op.module, op.op);
    if (!function) continue;
    const auto candidate = std::ranges::find_if(candidates, [&](const FunctionInModule& known) {
      return known.function == *function && known.module == op.module;
    });
    if (candidate != candidates.end()) candidate->backward.push_back(&op);
  }
  for (const queries::ImpactRow& impact : evidence.impacts) {
    if (!impact.impact) continue;
    FunctionInModule* candidate = candidate_of(candidates, impact);
    if (candidate == nullptr) continue;
    candidate->effects[impact.loss_id].add(effect_of(impact));
    candidate->steps.push_back(&impact.by_step);
  }
  for (FunctionInModule& candidate : candidates) set_obstacle(candidate);
  return candidates;
}

FunctionInModule* candidate_of(std::vector<FunctionInModule>& candidates, const queries::OpRow& op) {
  for (FunctionInModule& candidate : candidates) {
    for (const auto* sites : {&candidate.forward, &candidate.backward}) {
      if (std::ranges::find(*sites, &op) != sites->end()) return &candidate;
    }
  }
  return nullptr;
}

Effects rest_of(const Evidence& evidence, const std::vector<FunctionInModule>& candidates) {
  Effects rest;
  for (const queries::ImpactRow& impact : evidence.impacts) {
    const auto has_site = [&](const FunctionInModule& candidate) {
      return std::ranges::any_of(candidate.forward, [&](const queries::OpRow* op) { return is_site(*op, impact); });
    };
    if (impact.impact && std::ranges::none_of(candidates, has_site)) rest[impact.loss_id].add(effect_of(impact));
  }
  return rest;
}

}  // namespace ampprof::advice
