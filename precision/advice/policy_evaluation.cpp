// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/policy_evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "precision/advice/certainty.h"
#include "precision/advice/evidence.h"
#include "precision/advice/overflow_origins.h"
#include "reports/queries/impacts.h"
#include "reports/queries/ops.h"

namespace ampprof::advice {
namespace {

void add_once(const std::string& text, std::vector<std::string>& texts) {
  if (!text.empty() && std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
}

double weight_of(const FunctionInModule& candidate, RankingBasis basis) {
  return basis == RankingBasis::LossImpact ? predicted_impact(candidate.effects) : local_error_of(candidate);
}

double tolerance_of(const Evidence& evidence, const Options& options) {
  return options.tolerance ? *options.tolerance
                           : largest_loss(evidence.run.first_loss_mean, evidence.run.last_loss_mean) * 1e-3;
}

void choose_basis(Advice& advice, const Evidence& evidence, double whole_impact) {
  const auto is_known = [](const queries::ImpactRow& impact) { return impact.impact.has_value(); };
  const auto known = std::ranges::count_if(evidence.impacts, is_known);
  if (known > 0 && 2 * known >= std::ssize(evidence.impacts)) {
    advice.impact_before = whole_impact;
    return;
  }
  if (evidence.impacts.empty()) {
    advice.basis = RankingBasis::LocalError;
    advice.notes.push_back(fmt::format(
        "The report has no loss impact, so functions are ranked by their local error, which says nothing about "
        "their effect on the loss. {}",
        evidence.run.asks_for_impact ? "ampprof saw no loss that depends on them." : "Record with --impact."));
    return;
  }
  const auto gap = std::ranges::find_if_not(evidence.impacts, is_known);
  advice.notes.push_back(fmt::format("{} of {} loss impacts could be measured ({}). Record again with this policy.",
                                     known == 0 ? "None" : fmt::format("Only {}", known), evidence.impacts.size(),
                                     reason_of(gap->gap)));
}

std::string because(const Advice& advice, const Effects& effects,
                    const std::vector<const FunctionInModule*>& candidates) {
  std::string text;
  for (const FunctionInModule* candidate : candidates) {
    for (const auto& reason : candidate->reasons) text += (text.empty() ? "" : "; ") + reason;
  }
  if (advice.basis == RankingBasis::LocalError && text.empty()) {
    double largest = 0.0;
    for (const FunctionInModule* candidate : candidates) largest = std::max(largest, local_error_of(*candidate));
    return fmt::format("its local error is {:.1e} of its result, {:.0f} times that of one rounding to FP16.", largest,
                       largest / 0x1p-11);
  }
  const double impact = predicted_impact(effects);
  if (impact > 0.0 && advice.impact_before) {
    text += fmt::format("{}its expected loss impact is {:.2g} (RMS), {:.0f} % of the total variance (total RMS {:.2g})",
                        text.empty() ? "" : "; ", impact,
                        100 * impact * impact / (*advice.impact_before * *advice.impact_before), *advice.impact_before);
  }
  return text + '.';
}

std::optional<double> mean_of(const Effects& effects) {
  if (effects.empty()) return std::nullopt;
  double sum = 0.0;
  for (const auto& [loss, effect] : effects) sum += effect.mean;
  return sum;
}

/// Sorts mandatory rules first, then by impact or error, then in program order.
void put_in_order(std::vector<FloatRule>& rules, const std::vector<FunctionInModule>& candidates, RankingBasis basis) {
  const auto rank = [&](const FloatRule& rule) {
    double weight = 0.0;
    bool must = false;
    Effects effects;
    for (const std::size_t place : rule.covers) {
      must = must || !candidates[place].reasons.empty();
      add(effects, candidates[place].effects);
      if (basis == RankingBasis::LocalError) weight = std::max(weight, local_error_of(candidates[place]));
    }
    if (basis == RankingBasis::LossImpact) weight = predicted_impact(effects);
    return std::pair(must, weight);
  };
  std::ranges::stable_sort(rules, [&](const FloatRule& a, const FloatRule& b) { return rank(a) > rank(b); });
}

std::map<const queries::OpRow*, std::size_t> places_by_site(const std::vector<FunctionInModule>& candidates) {
  std::map<const queries::OpRow*, std::size_t> places;
  for (std::size_t place = 0; place < candidates.size(); ++place) {
    for (const queries::OpRow* op : candidates[place].forward) places.emplace(op, place);
    for (const queries::OpRow* op : candidates[place].backward) places.emplace(op, place);
  }
  return places;
}

void add(std::optional<double>& sum, const std::optional<double>& part) {
  sum = sum && part ? std::optional(*sum + *part) : std::nullopt;
}

}  // namespace

double local_error_of(const FunctionInModule& candidate) {
  double largest = 0.0;
  for (const queries::OpRow* op : candidate.forward) {
    const double error = op->local ? op->local->relative_l2() : 0.0;
    if (std::isfinite(error)) largest = std::max(largest, error);
  }
  return largest;
}

PolicyEvaluation::PolicyEvaluation(const Evidence& evidence, const Options& options)
    : run_(evidence.run),
      options_(options),
      candidates_(candidates_of(evidence)),
      candidate_of_(places_by_site(candidates_)),
      rest_(rest_of(evidence, candidates_)),
      fp32_cost_(evidence) {
  nothing_.tolerance = tolerance_of(evidence, options);
  BeyondPolicies beyond = mark_overflow_origins(candidates_, evidence);
  nothing_.notes = std::move(beyond.notes);
  nothing_.not_repaired = std::move(beyond.not_repaired);
  choose_basis(nothing_, evidence, impact_without({}));
  nothing_.impact_after = nothing_.impact_before;
  if (!evidence.plain.empty()) nothing_.cost_us = 0.0;
  write_ranking();
}

double largest_loss(const std::optional<double>& initial, const std::optional<double>& final) {
  double loss = 0.0;
  for (const auto& value : {initial, final}) {
    if (value && std::isfinite(*value)) loss = std::max(loss, std::abs(*value));
  }
  return loss;
}

std::optional<std::size_t> PolicyEvaluation::candidate_of(const queries::OpRow& op) const {
  const auto found = candidate_of_.find(&op);
  return found == candidate_of_.end() ? std::nullopt : std::optional(found->second);
}

double PolicyEvaluation::impact_without(const Places& taken) const {
  Effects effects = rest_;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    if (std::ranges::find(taken, i) == taken.end()) add(effects, candidates_[i].effects);
  }
  return predicted_impact(effects);
}

Advice PolicyEvaluation::advice(Places chosen) const {
  std::ranges::sort(chosen);
  Advice advice = nothing_;
  std::vector<FloatRule> rules = grouped(candidates_, chosen, advice.notes);
  put_in_order(rules, candidates_, advice.basis);
  Places taken;
  for (const FloatRule& rule : rules) {
    taken.insert(taken.end(), rule.covers.begin(), rule.covers.end());
    add(advice.cost_us, advice.policy.emplace_back(registration_of(rule)).cost_us);
  }
  if (advice.impact_before) advice.impact_after = impact_without(taken);
  if (advice.basis == RankingBasis::LossImpact) advice.certainty = certainty_of(candidates_, taken);
  return advice;
}

Registration PolicyEvaluation::registration_of(const FloatRule& rule) const {
  Registration registration{.op = rule.op, .module = rule.module};
  Effects effects;
  std::vector<const FunctionInModule*> candidates;
  registration.cost_us = 0.0;
  for (const std::size_t place : rule.covers) {
    const FunctionInModule& candidate = candidates_[place];
    candidates.push_back(&candidate);
    add(effects, candidate.effects);
    registration.overflows += candidate.overflows;
    registration.cast_bytes += fp32_cost_.cast_bytes(candidate);
    add(registration.cost_us, fp32_cost_.time_us(candidate));
    for (const queries::OpRow* op : candidate.forward) {
      registration.call_sites.push_back(op->call_site);
      add_once(op->source, registration.sources);
    }
  }
  registration.loss_impact = mean_of(effects);
  registration.because = because(nothing_, effects, candidates);
  return registration;
}

void PolicyEvaluation::write_ranking() {
  const double whole = nothing_.impact_before.value_or(0.0);
  for (const FunctionInModule& candidate : candidates_) {
    const double weight = weight_of(candidate, nothing_.basis);
    if (weight == 0.0 && candidate.reasons.empty()) continue;
    const double share = whole > 0.0 ? weight * weight / (whole * whole) : 0.0;
    nothing_.ranking.push_back({candidate.function, candidate.module, weight, share, !candidate.reasons.empty()});
  }
  std::ranges::stable_sort(nothing_.ranking, [](const Ranked& a, const Ranked& b) {
    return std::pair(a.overflows, a.weight) > std::pair(b.overflows, b.weight);
  });
}

}  // namespace ampprof::advice
