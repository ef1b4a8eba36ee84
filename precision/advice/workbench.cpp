// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/workbench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "precision/advice/culprits.h"

namespace ampprof {
namespace {

double weight_of(const Unit& unit, Basis basis) {
  return basis == Basis::LossImpact ? predicted_impact(unit.effects) : local_error_of(unit);
}

double tolerance_of(const Evidence& evidence, const AdviceOptions& options) {
  return options.tolerance ? *options.tolerance : largest_loss(evidence.run) * 1e-3;
}

void choose_basis(Advice& advice, const Evidence& evidence, double whole_impact) {
  const auto is_known = [](const ImpactRow& impact) { return impact.impact.has_value(); };
  const auto known = std::ranges::count_if(evidence.impacts, is_known);
  if (known > 0 && 2 * known >= std::ssize(evidence.impacts)) {
    advice.impact_before = whole_impact;
    return;
  }
  if (evidence.impacts.empty()) {
    advice.basis = Basis::LocalError;
    advice.notes.push_back(
        "The report holds no loss impact: functions are ranked by their local error, which says nothing of what they "
        "do to the loss. Record with --impact.");
    return;
  }
  const auto gap = std::ranges::find_if_not(evidence.impacts, is_known);
  advice.notes.push_back(fmt::format("Of {} loss impacts {} could be measured ({}). Record again with this policy.",
                                     evidence.impacts.size(), known == 0 ? "none" : fmt::format("only {}", known),
                                     reason_of(gap->gap)));
}

std::string because(const Advice& advice, const Effects& effects, const std::vector<const Unit*>& units) {
  std::string text;
  for (const Unit* unit : units) {
    for (const auto& reason : unit->reasons) text += (text.empty() ? "" : "; ") + reason;
  }
  if (advice.basis == Basis::LocalError && text.empty()) {
    double largest = 0.0;
    for (const Unit* unit : units) largest = std::max(largest, local_error_of(*unit));
    return fmt::format("its local error is {:.1e} of its result, {:.0f} times that of one rounding to FP16.", largest,
                       largest / 0x1p-11);
  }
  const double impact = predicted_impact(effects);
  if (impact > 0.0 && advice.impact_before) {
    text += fmt::format("{}it changes the loss by {:.2g} (root mean square), {:.0f} % of the predicted {:.2g}",
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

/// What must be first, then by impact or error; within equals in the order of the program.
void put_in_order(std::vector<FloatRule>& rules, const std::vector<Unit>& units, Basis basis) {
  const auto rank = [&](const FloatRule& rule) {
    double weight = 0.0;
    bool must = false;
    Effects effects;
    for (const std::size_t place : rule.covers) {
      must = must || !units[place].reasons.empty();
      add(effects, units[place].effects);
      if (basis == Basis::LocalError) weight = std::max(weight, local_error_of(units[place]));
    }
    if (basis == Basis::LossImpact) weight = predicted_impact(effects);
    return std::pair(must, weight);
  };
  std::ranges::stable_sort(rules, [&](const FloatRule& a, const FloatRule& b) { return rank(a) > rank(b); });
}

std::map<const OpRow*, std::size_t> places_by_site(const std::vector<Unit>& units) {
  std::map<const OpRow*, std::size_t> places;
  for (std::size_t place = 0; place < units.size(); ++place) {
    for (const OpRow* op : units[place].forward) places.emplace(op, place);
    for (const OpRow* op : units[place].backward) places.emplace(op, place);
  }
  return places;
}

void add(std::optional<double>& sum, const std::optional<double>& part) {
  sum = sum && part ? std::optional(*sum + *part) : std::nullopt;
}

}  // namespace

double local_error_of(const Unit& unit) {
  double largest = 0.0;
  for (const OpRow* op : unit.forward) {
    const double error = op->local ? op->local->relative_l2() : 0.0;
    if (std::isfinite(error)) largest = std::max(largest, error);
  }
  return largest;
}

Workbench::Workbench(const Evidence& evidence, const AdviceOptions& options)
    : options_(options),
      units_(units_of(evidence)),
      unit_of_(places_by_site(units_)),
      rest_(rest_of(evidence, units_)),
      price_(evidence) {
  nothing_.tolerance = tolerance_of(evidence, options);
  nothing_.notes = mark_culprits(units_, evidence);
  choose_basis(nothing_, evidence, impact_without({}));
  nothing_.impact_after = nothing_.impact_before;
  if (!evidence.plain.empty()) nothing_.cost_us = 0.0;
  write_ranking();
}

double largest_loss(const RunRow& run) {
  double loss = 0.0;
  for (const auto& value : {run.initial_loss, run.final_loss}) {
    if (value && std::isfinite(*value)) loss = std::max(loss, std::abs(*value));
  }
  return loss;
}

std::optional<std::size_t> Workbench::unit_of(const OpRow& op) const {
  const auto found = unit_of_.find(&op);
  return found == unit_of_.end() ? std::nullopt : std::optional(found->second);
}

double Workbench::impact_without(const Places& taken) const {
  Effects effects = rest_;
  for (std::size_t i = 0; i < units_.size(); ++i) {
    if (std::ranges::find(taken, i) == taken.end()) add(effects, units_[i].effects);
  }
  return predicted_impact(effects);
}

Advice Workbench::advice(Places chosen) const {
  std::ranges::sort(chosen);
  Advice advice = nothing_;
  std::vector<FloatRule> rules = grouped(units_, chosen, advice.notes);
  put_in_order(rules, units_, advice.basis);
  Places taken;
  for (const FloatRule& rule : rules) {
    taken.insert(taken.end(), rule.covers.begin(), rule.covers.end());
    add(advice.cost_us, advice.policy.emplace_back(registration_of(rule)).cost_us);
  }
  if (advice.impact_before) advice.impact_after = impact_without(taken);
  return advice;
}

Registration Workbench::registration_of(const FloatRule& rule) const {
  Registration registration{.op = rule.op, .module = rule.module};
  Effects effects;
  std::vector<const Unit*> units;
  registration.cost_us = 0.0;
  for (const std::size_t place : rule.covers) {
    const Unit& unit = units_[place];
    units.push_back(&unit);
    add(effects, unit.effects);
    registration.overflows += unit.overflows;
    registration.cast_bytes += price_.cast_bytes(unit);
    add(registration.cost_us, price_.time_us(unit));
    for (const OpRow* op : unit.forward) registration.call_sites.push_back(op->call_site);
  }
  registration.loss_impact = mean_of(effects);
  registration.because = because(nothing_, effects, units);
  return registration;
}

void Workbench::write_ranking() {
  const double whole = nothing_.impact_before.value_or(0.0);
  for (const Unit& unit : units_) {
    const double weight = weight_of(unit, nothing_.basis);
    if (weight == 0.0 && unit.reasons.empty()) continue;
    const double share = whole > 0.0 ? weight * weight / (whole * whole) : 0.0;
    nothing_.ranking.push_back({unit.function, unit.module, weight, share, !unit.reasons.empty()});
  }
  std::ranges::stable_sort(nothing_.ranking, [](const Ranked& a, const Ranked& b) {
    return std::pair(a.overflows, a.weight) > std::pair(b.overflows, b.weight);
  });
}

}  // namespace ampprof
