// SPDX-License-Identifier: Apache-2.0
#include "reports/gates/value.h"

#include <algorithm>

#include "reports/gates/selector.h"
#include "reports/queries/run_names.h"

namespace ampprof::gates {
namespace {

Value without(std::string reason) { return {.reason = std::move(reason)}; }

std::string label_of(const queries::RunRow& run) {
  return run.level.empty() ? "run " + std::to_string(run.run) : run.level;
}

Runs runs_of(const Selector& selector, const Occasion& occasion) {
  const Side& side = selector.side == SideName::A ? occasion.a : occasion.b;
  if (!selector.run) return side.meant;
  Runs runs;
  std::copy_if(side.all.begin(), side.all.end(), std::back_inserter(runs), [&](const RunEvidence* evidence) {
    return queries::names_run(*selector.run, evidence->run.run, evidence->run.level);
  });
  return runs;
}

bool is_meant(const Selector& selector, const queries::OpRow& op) {
  return (!selector.phase || op.phase == *selector.phase) && (!selector.pattern || names_site(*selector.pattern, op));
}

bool is_full_precision(const queries::OpRow& op) {
  return !is_reduced_precision(op.dtype_in) && !is_reduced_precision(op.dtype_out);
}

std::string sites_of(const Selector& selector) {
  std::string text = "no call site";
  if (selector.phase) text.append(" of phase ").append(name_of(*selector.phase));
  if (selector.pattern) text += " that fits '" + *selector.pattern + "'";
  return text;
}

Value of_sites(const SiteValue& value, const Metric& metric, const Selector& selector, const RunEvidence& evidence) {
  std::vector<double> known;
  bool any = false;
  bool all_in_full_precision = true;
  for (const SiteEvidence& site : evidence.sites) {
    if (!is_meant(selector, site.op)) continue;
    any = true;
    all_in_full_precision = all_in_full_precision && is_full_precision(site.op);
    if (const auto number = value.of(site)) known.push_back(*number);
  }
  const std::string label = label_of(evidence.run);
  if (!any) return without(label + " has " + sites_of(selector));
  if (!known.empty()) return {.number = reduced(value.over_sites, std::move(known))};
  if (all_in_full_precision) {
    return {.applies = false, .reason = label + " computes them in full precision"};
  }
  return without(label + " has no " + std::string(metric.name) + " of them");
}

Value of_run(const Metric& metric, const Selector& selector, const RunEvidence& evidence) {
  if (const auto* sites = std::get_if<SiteValue>(&metric.value)) return of_sites(*sites, metric, selector, evidence);
  if (const auto* named = std::get_if<NamedValue>(&metric.value)) {
    return {.number = (*named)(evidence, selector.pattern.value_or("*"))};
  }
  if (const auto number = std::get<RunValue>(metric.value)(evidence)) return {.number = number};
  return without(label_of(evidence.run) + " has no " + std::string(metric.name));
}

}  // namespace

// Of the repeats of a level, one without a value makes it unknown: it would have counted.
Value value_of(const Metric& metric, const Selector& selector, const Occasion& occasion) {
  const Runs runs = runs_of(selector, occasion);
  if (runs.empty()) return without("the report has no run " + (selector.run ? "'" + *selector.run + "'" : "here"));
  std::vector<double> numbers;
  for (const RunEvidence* evidence : runs) {
    Value value = of_run(metric, selector, *evidence);
    if (!value.number) return value;
    numbers.push_back(*value.number);
  }
  return {.number = reduced(metric.over_runs, std::move(numbers))};
}

}  // namespace ampprof::gates
