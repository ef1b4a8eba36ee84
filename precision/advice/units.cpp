// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/units.h"

#include <algorithm>
#include <array>

#include "amp_core/casts/cast_rule.h"
#include "amp_core/levels/properties.h"
#include "precision/advice/functions.h"

namespace ampprof {
namespace {

constexpr std::array<std::string_view, 7> kCasts{"to", "_to_copy", "copy", "type", "type_as", "half", "bfloat16"};

bool computes_reduced(const OpRow& op) {
  return op.phase == Phase::Forward && (op.local.has_value() || is_reduced_precision(op.dtype_out));
}

Unit& unit_named(std::vector<Unit>& units, const std::string& function, const std::string& module) {
  const auto is_it = [&](const Unit& unit) { return unit.function == function && unit.module == module; };
  const auto found = std::ranges::find_if(units, is_it);
  if (found != units.end()) return *found;
  Unit& unit = units.emplace_back();
  unit.function = function;
  unit.module = module;
  return unit;
}

Effect effect_of(const ImpactRow& impact) {
  return ampprof::effect_of(*impact.impact, impact.impact_rms.value_or(0.0));
}

bool is_site(const OpRow& op, const ImpactRow& impact) {
  return impact.source == ImpactSource::OpCall && op.call_site_id == impact.call_site_id &&
         op.position == impact.position;
}

Unit* unit_of(std::vector<Unit>& units, const ImpactRow& impact) {
  for (Unit& unit : units) {
    if (std::ranges::any_of(unit.forward, [&](const OpRow* op) { return is_site(*op, impact); })) return &unit;
  }
  return nullptr;
}

// Names of a damaged report may be any text.
bool can_be_named(const std::string& function, const std::string& module) {
  try {
    amp::check_rule({function, amp::CastPolicy::Fp32, module});
    return true;
  } catch (const amp::Error&) {
    return false;
  }
}

void say_what_cannot_be(Unit& unit) {
  if (!can_be_named(unit.function, unit.module)) {
    unit.cannot = "a policy cannot hold its name";
    return;
  }
  if (std::ranges::find(kCasts, unit.function) != kCasts.end()) {
    unit.cannot = "the program casts here itself: remove the cast";
  } else if (std::ranges::any_of(unit.forward, [](const OpRow* op) { return is_in_place(op->op); })) {
    unit.cannot = "it is called in place, and what it writes into is reduced: write " + unit.function + " out of place";
  }
}

}  // namespace

std::vector<Unit> units_of(const Evidence& evidence) {
  std::vector<Unit> units;
  for (const OpRow& op : evidence.ops) {
    if (computes_reduced(op)) unit_named(units, function_of(op.op), op.module).forward.push_back(&op);
  }
  const ForwardFunctions functions(evidence.ops);
  for (const OpRow& op : evidence.ops) {
    if (op.phase != Phase::Backward) continue;
    const auto function = functions.behind(op.module, op.op);
    if (!function) continue;
    const auto unit = std::ranges::find_if(
        units, [&](const Unit& known) { return known.function == *function && known.module == op.module; });
    if (unit != units.end()) unit->backward.push_back(&op);
  }
  for (const ImpactRow& impact : evidence.impacts) {
    if (!impact.impact) continue;
    if (Unit* unit = unit_of(units, impact)) unit->effects[impact.loss_id].add(effect_of(impact));
  }
  for (Unit& unit : units) say_what_cannot_be(unit);
  return units;
}

Unit* unit_of(std::vector<Unit>& units, const OpRow& op) {
  for (Unit& unit : units) {
    for (const auto* sites : {&unit.forward, &unit.backward}) {
      if (std::ranges::find(*sites, &op) != sites->end()) return &unit;
    }
  }
  return nullptr;
}

Effects rest_of(const Evidence& evidence, const std::vector<Unit>& units) {
  Effects rest;
  for (const ImpactRow& impact : evidence.impacts) {
    const auto has_site = [&](const Unit& unit) {
      return std::ranges::any_of(unit.forward, [&](const OpRow* op) { return is_site(*op, impact); });
    };
    if (impact.impact && std::ranges::none_of(units, has_site)) rest[impact.loss_id].add(effect_of(impact));
  }
  return rest;
}

}  // namespace ampprof
