// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/advise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "precision/advice/cover.h"
#include "precision/advice/culprits.h"
#include "precision/advice/grouping.h"
#include "precision/advice/price.h"
#include "precision/advice/units.h"

namespace ampprof {
namespace {

constexpr double kOutstanding = 0x1p-7;  // relative error; rounding to FP16 once is 2^-11 at most

using Places = std::vector<std::size_t>;

double local_error_of(const Unit& unit) {
  double largest = 0.0;
  for (const OpRow* op : unit.forward) {
    const double error = op->local ? op->local->relative_l2() : 0.0;
    if (std::isfinite(error)) largest = std::max(largest, error);
  }
  return largest;
}

double weight_of(const Unit& unit, Basis basis) {
  return basis == Basis::LossImpact ? predicted_impact(unit.effects) : local_error_of(unit);
}

double tolerance_of(const Evidence& evidence, const AdviceOptions& options) {
  if (options.tolerance) return *options.tolerance;
  double loss = 0.0;
  for (const auto& value : {evidence.run.initial_loss, evidence.run.final_loss}) {
    if (value && std::isfinite(*value)) loss = std::max(loss, std::abs(*value));
  }
  return loss * 1e-3;
}

/// Everything that is worked out on the way to the advice.
struct Work {
  std::vector<Unit> units;
  Effects rest;
  Advice advice;

  Places mandatory() const {
    Places places;
    for (std::size_t i = 0; i < units.size(); ++i) {
      if (!units[i].reasons.empty()) places.push_back(i);
    }
    return places;
  }

  /// Effects of what `taken` leaves.
  Effects left_by(const Places& taken) const {
    Effects effects = rest;
    for (std::size_t i = 0; i < units.size(); ++i) {
      if (std::ranges::find(taken, i) == taken.end()) add(effects, units[i].effects);
    }
    return effects;
  }
};

void choose_basis(Work& work, const Evidence& evidence) {
  const auto is_known = [](const ImpactRow& impact) { return impact.impact.has_value(); };
  const auto known = std::ranges::count_if(evidence.impacts, is_known);
  if (known > 0 && 2 * known >= std::ssize(evidence.impacts)) {
    work.advice.impact_before = predicted_impact(work.left_by({}));
    return;
  }
  if (evidence.impacts.empty()) {
    work.advice.basis = Basis::LocalError;
    work.advice.notes.push_back(
        "The report holds no loss impact: functions are ranked by their local error, which says nothing of what they "
        "do "
        "to the loss. Record with --impact.");
    return;
  }
  const auto gap = std::ranges::find_if_not(evidence.impacts, is_known);
  work.advice.notes.push_back(
      fmt::format("Of {} loss impacts {} could be measured ({}). Record again with this policy.",
                  evidence.impacts.size(), known == 0 ? "none" : fmt::format("only {}", known), reason_of(gap->gap)));
}

/// By local error there is no sum to bring down: what stands out is taken.
Places outstanding(const Work& work) {
  Places places;
  for (std::size_t i = 0; i < work.units.size(); ++i) {
    const Unit& unit = work.units[i];
    const bool stands_out = unit.cannot.empty() && local_error_of(unit) >= kOutstanding;
    if (!unit.reasons.empty() || stands_out) places.push_back(i);
  }
  return places;
}

Places choose(const Work& work, const AdviceOptions& options) {
  if (work.advice.basis == Basis::LocalError) return outstanding(work);
  const Places mandatory = work.mandatory();
  if (!work.advice.impact_before || predicted_impact(work.left_by(mandatory)) <= work.advice.tolerance)
    return mandatory;
  CoverTask task{.rest = work.rest,
                 .goal = std::max(work.advice.tolerance, options.target_share * *work.advice.impact_before)};
  Places candidates;
  for (std::size_t i = 0; i < work.units.size(); ++i) {
    const Unit& unit = work.units[i];
    if (!unit.cannot.empty()) {
      add(task.rest, unit.effects);
    } else if (!unit.reasons.empty() || predicted_impact(unit.effects) > 0.0) {
      if (!unit.reasons.empty()) task.mandatory.push_back(candidates.size());
      candidates.push_back(i);
      task.parts.push_back(unit.effects);
    }
  }
  Places chosen;
  for (const std::size_t place : smallest_cover(task)) chosen.push_back(candidates[place]);
  return chosen;
}

std::string because(const Work& work, const Effects& effects, const std::vector<const Unit*>& units) {
  std::string text;
  for (const Unit* unit : units) {
    for (const auto& reason : unit->reasons) text += (text.empty() ? "" : "; ") + reason;
  }
  if (work.advice.basis == Basis::LocalError && text.empty()) {
    double largest = 0.0;
    for (const Unit* unit : units) largest = std::max(largest, local_error_of(*unit));
    return fmt::format("its local error is {:.1e} of its result, {:.0f} times that of one rounding to FP16.", largest,
                       largest / 0x1p-11);
  }
  const double impact = predicted_impact(effects);
  if (impact > 0.0 && work.advice.impact_before) {
    text += fmt::format("{}it changes the loss by {:.2g} (root mean square), {:.0f} % of the predicted {:.2g}",
                        text.empty() ? "" : "; ", impact,
                        100 * impact * impact / (*work.advice.impact_before * *work.advice.impact_before),
                        *work.advice.impact_before);
  }
  return text + '.';
}

std::optional<double> mean_of(const Effects& effects) {
  if (effects.empty()) return std::nullopt;
  double sum = 0.0;
  for (const auto& [loss, effect] : effects) sum += effect.mean;
  return sum;
}

Registration registration_of(const Work& work, const FloatRule& rule, const Price& price) {
  Registration registration{.op = rule.op, .module = rule.module};
  Effects effects;
  std::vector<const Unit*> units;
  registration.cost_us = 0.0;
  for (const std::size_t place : rule.covers) {
    const Unit& unit = work.units[place];
    units.push_back(&unit);
    add(effects, unit.effects);
    registration.overflows += unit.overflows;
    registration.cast_bytes += price.cast_bytes(unit);
    const auto time = price.time_us(unit);
    registration.cost_us = registration.cost_us && time ? std::optional(*registration.cost_us + *time) : std::nullopt;
    for (const OpRow* op : unit.forward) registration.call_sites.push_back(op->call_site);
  }
  registration.loss_impact = mean_of(effects);
  registration.because = because(work, effects, units);
  return registration;
}

/// What must be first, then by impact or error; within equals in the order of the program.
void put_in_order(const Work& work, std::vector<FloatRule>& rules) {
  const auto rank = [&](const FloatRule& rule) {
    double weight = 0.0;
    bool must = false;
    Effects effects;
    for (const std::size_t place : rule.covers) {
      must = must || !work.units[place].reasons.empty();
      add(effects, work.units[place].effects);
      if (work.advice.basis == Basis::LocalError) weight = std::max(weight, local_error_of(work.units[place]));
    }
    if (work.advice.basis == Basis::LossImpact) weight = predicted_impact(effects);
    return std::pair(must, weight);
  };
  std::ranges::stable_sort(rules, [&](const FloatRule& a, const FloatRule& b) { return rank(a) > rank(b); });
}

void write_ranking(Work& work) {
  Advice& advice = work.advice;
  const double whole = advice.impact_before.value_or(0.0);
  for (const Unit& unit : work.units) {
    const double weight = weight_of(unit, advice.basis);
    if (weight == 0.0 && unit.reasons.empty()) continue;
    const double share = whole > 0.0 ? weight * weight / (whole * whole) : 0.0;
    advice.ranking.push_back({unit.function, unit.module, weight, share, !unit.reasons.empty()});
  }
  std::ranges::stable_sort(advice.ranking, [](const Ranked& a, const Ranked& b) {
    return std::pair(a.overflows, a.weight) > std::pair(b.overflows, b.weight);
  });
}

void write_policy(Work& work, const Evidence& evidence, std::vector<FloatRule> rules) {
  Advice& advice = work.advice;
  put_in_order(work, rules);
  const Price price(evidence);
  Places taken;
  if (!evidence.plain.empty()) advice.cost_us = 0.0;
  for (const FloatRule& rule : rules) {
    taken.insert(taken.end(), rule.covers.begin(), rule.covers.end());
    const Registration& registration = advice.policy.emplace_back(registration_of(work, rule, price));
    const auto& cost = registration.cost_us;
    advice.cost_us = advice.cost_us && cost ? std::optional(*advice.cost_us + *cost) : std::nullopt;
  }
  if (advice.impact_before) advice.impact_after = predicted_impact(work.left_by(taken));
}

void say_what_is_left(Work& work, const AdviceOptions& options) {
  Advice& advice = work.advice;
  if (advice.policy.empty() && advice.impact_before) {
    advice.notes.push_back(fmt::format(
        "No function needs FP32: the predicted change of the loss is {:.2g}, and {:.2g} needs nothing done.",
        *advice.impact_before, advice.tolerance));
  } else if (advice.policy.empty()) {
    advice.notes.push_back("No function overflows or stands out.");
  }
  if (!advice.impact_after) return;
  const double goal = std::max(advice.tolerance, options.target_share * *advice.impact_before);
  if (*advice.impact_after <= goal) return;
  advice.notes.push_back(fmt::format(
      "{:.2g} of the predicted change of the loss remains, more than the {:.2g} aimed at: the rest comes from what no "
      "registration reaches.",
      *advice.impact_after, goal));
}

}  // namespace

Advice advise(const Evidence& evidence, const AdviceOptions& options) {
  Work work{.units = units_of(evidence), .rest = {}, .advice = {}};
  work.rest = rest_of(evidence, work.units);
  work.advice.tolerance = tolerance_of(evidence, options);
  work.advice.notes = mark_culprits(work.units, evidence);
  choose_basis(work, evidence);
  write_ranking(work);
  write_policy(work, evidence, grouped(work.units, choose(work, options), work.advice.notes));
  say_what_is_left(work, options);
  return std::move(work.advice);
}

amp::Policy policy_of(const Advice& advice) {
  amp::Policy policy;
  for (const Registration& registration : advice.policy) {
    policy.rules.push_back({registration.op, amp::CastPolicy::Fp32, registration.module});
  }
  return policy;
}

}  // namespace ampprof
