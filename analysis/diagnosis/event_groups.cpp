// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/event_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "analysis/diagnosis/symptoms.h"
#include "reports/queries/events.h"
#include "reports/queries/ops.h"
#include "reports/queries/runs.h"
#include "reports/text/numbers.h"

namespace ampprof::analysis {
namespace {

constexpr std::int64_t kFewSkipped = 2;  // a dynamic scale skips a few steps while it finds its value
constexpr double kSmallShare = 0.02;     // of the steps
constexpr double kLeastLossScale = 1;    // a smaller one says that the gradient itself does not fit

bool is_backward(const queries::EventRow& event) { return event.first_op_phase == Phase::Backward; }

/// Returns whether what the values became agrees with exact arithmetic, or nobody can tell.
bool is_masked_well(const queries::EventRow& event, const Symptoms& symptoms) {
  const queries::OpRow* op = symptoms.op_at(event.outcome_op);
  return op == nullptr || !op->inherited || op->inherited->relative_l2() < kWrong;
}

bool would_smaller_scale_hold(const queries::EventRow& event) {
  return is_backward(event) && event.cause == NonfiniteCause::TooLarge &&
         event.largest_safe_scale.value_or(kLeastLossScale) >= kLeastLossScale;
}

bool casts_buffer(const queries::EventRow& event, const Symptoms& symptoms) {
  const queries::OpRow* op = symptoms.op_at(event.first_op);
  return event.outcome == NonfiniteOutcome::Buffer && op != nullptr && is_cast(op->op);
}

EventKind kind_of(const queries::EventRow& event, const Symptoms& symptoms) {
  const bool is_masked = event.outcome == NonfiniteOutcome::Masked || event.outcome == NonfiniteOutcome::Clamped;
  if (event.outcome == NonfiniteOutcome::Nothing) return EventKind::Harmless;
  if (event.outcome == NonfiniteOutcome::Clamped && is_backward(event)) return EventKind::HiddenByClip;
  if (is_masked && is_masked_well(event, symptoms)) return EventKind::Harmless;
  if (would_smaller_scale_hold(event)) return EventKind::ByLossScale;
  if (event.fp32_holds == true) {
    return casts_buffer(event, symptoms) ? EventKind::CastOfBuffer : EventKind::HeldByFp32;
  }
  if (event.fp32_holds == false && event.first_op_phase == Phase::Optimizer) return EventKind::InOptimizer;
  if (event.fp32_holds == false && event.shadow_holds == true) return EventKind::CausedUpstream;
  if (event.fp32_holds == false && !event.first_op.empty()) return EventKind::NotHeldByFp32;
  return EventKind::Unexplained;
}

bool has_one_cause_for_all(EventKind kind) { return kind == EventKind::ByLossScale || kind == EventKind::InOptimizer; }

bool belongs_to(const EventGroup& group, EventKind kind, const queries::EventRow& event) {
  const queries::EventRow& first = *group.events.front();
  if (has_one_cause_for_all(kind) || has_one_cause_for_all(group.kind)) return kind == group.kind;
  return first.first_op == event.first_op && first.cause == event.cause;
}

// A step counts once, however many events it has; an event that stands for many steps counts as often.
std::int64_t steps_of(const std::vector<const queries::EventRow*>& events, bool (*counts)(const queries::EventRow&)) {
  std::set<std::int64_t> seen;
  std::int64_t further = 0;
  for (const queries::EventRow* event : events) {
    if (!counts(*event)) continue;
    seen.insert(event->step);
    further += event->steps - 1;
  }
  return static_cast<std::int64_t>(seen.size()) + further;
}

std::string named(const std::string& name, const char* otherwise) { return name.empty() ? otherwise : name; }

/// Returns the culprit, the origin of the event, how many ops it spread through, and what became of it.
std::vector<std::string> chain_of(const std::string& culprit, const queries::EventRow& event) {
  std::vector<std::string> chain;
  if (!culprit.empty()) chain.push_back(culprit);
  if (!event.first_op.empty() && event.first_op != culprit) chain.push_back(event.first_op);
  if (event.chain.size() > 1) chain.push_back(fmt::format("{} ops", event.chain.size()));
  const std::string reached = event.reached.empty() ? event.outcome_op : event.reached;
  const std::string_view outcome = name_of(event.outcome);
  chain.push_back(reached.empty() ? std::string(outcome) : fmt::format("{} {}", outcome, reached));
  return chain;
}

}  // namespace

std::vector<EventGroup> event_groups(const Symptoms& symptoms) {
  std::vector<EventGroup> groups;
  for (const queries::EventRow* event : symptoms.events) {
    const EventKind kind = kind_of(*event, symptoms);
    auto group = std::ranges::find_if(groups, [&](const EventGroup& each) { return belongs_to(each, kind, *event); });
    if (group == groups.end()) group = groups.insert(groups.end(), EventGroup{.kind = kind, .worst = event});
    group->events.push_back(event);
    if (event->outcome > group->worst->outcome) {
      group->worst = event;
      group->kind = kind;
    }
  }
  for (EventGroup& group : groups) {
    group.steps = steps_of(group.events, [](const queries::EventRow&) { return true; });
    group.skipped = steps_of(group.events,
                             [](const queries::EventRow& event) { return event.outcome == NonfiniteOutcome::Skipped; });
  }
  return groups;
}

std::string consequence_of(const EventGroup& group, const Symptoms& symptoms) {
  const queries::EventRow& worst = *group.worst;
  const auto of_steps = [&](std::int64_t steps) {
    return fmt::format("{} of {}", text::count(steps), text::counted(std::max(symptoms.run.steps, steps), "step"));
  };
  switch (worst.outcome) {
    case NonfiniteOutcome::Skipped:
      return fmt::format("The update of {} is skipped.", of_steps(group.skipped));
    case NonfiniteOutcome::Weight:
      return fmt::format("NaN or inf is in {} from step {} on.", named(worst.reached, "a weight"), worst.step);
    case NonfiniteOutcome::Buffer:
      return fmt::format(
          "The buffer {} is not finite from step {} on. What a module computes with it is wrong, and may "
          "look finite.",
          named(worst.reached, "of a module"), worst.step);
    case NonfiniteOutcome::Gradient:
      return fmt::format("The gradient of {} is not finite in {}, and the update uses it.",
                         named(worst.reached, "a parameter"), of_steps(group.steps));
    case NonfiniteOutcome::Loss:
      return fmt::format("The loss is not finite in {}. Gradients and weights stay finite.", of_steps(group.steps));
    case NonfiniteOutcome::Result:
      return "What inference returns is not finite.";
    case NonfiniteOutcome::Clamped:
    case NonfiniteOutcome::Masked:
      return fmt::format("{} makes a finite but wrong value of it in {}.", named(worst.outcome_op, "A later op"),
                         of_steps(group.steps));
    case NonfiniteOutcome::Nothing:
      break;
  }
  return "No effect was seen.";
}

bool costs_something(const EventGroup& group, const Symptoms& symptoms) {
  return group.worst->outcome != NonfiniteOutcome::Skipped ||
         (group.skipped > kFewSkipped && static_cast<double>(group.skipped) >= kSmallShare * symptoms.steps());
}

std::vector<Finding> findings_of(const Symptoms& symptoms, EventKind kind,
                                 Finding (*finding_of)(const EventGroup&, const Symptoms&),
                                 bool (*counts)(const EventGroup&, const Symptoms&)) {
  std::vector<Finding> findings;
  for (const EventGroup& group : symptoms.groups) {
    if (group.kind == kind && (counts == nullptr || counts(group, symptoms))) {
      findings.push_back(finding_of(group, symptoms));
      findings.back().chain = chain_of(findings.back().culprit.call_site, *group.worst);
    }
  }
  return findings;
}

double cost_of(const EventGroup& group, const Symptoms& symptoms) {
  const auto share = [&](std::int64_t steps) { return std::min(1.0, static_cast<double>(steps) / symptoms.steps()); };
  switch (group.worst->outcome) {
    case NonfiniteOutcome::Skipped:
      return share(group.skipped);
    case NonfiniteOutcome::Loss:
      return kLogAlone * share(group.steps);
    case NonfiniteOutcome::Weight:
    case NonfiniteOutcome::Buffer:
    case NonfiniteOutcome::Gradient:
      return 1.0;
    default:
      return share(group.steps);
  }
}

}  // namespace ampprof::analysis
