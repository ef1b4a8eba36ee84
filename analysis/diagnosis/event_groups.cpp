// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/event_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>

#include "analysis/diagnosis/flushed_input.h"
#include "analysis/diagnosis/sent_gradients.h"
#include "analysis/diagnosis/symptoms.h"
#include "precision/advice/loss_scale.h"
#include "reports/queries/events.h"
#include "reports/queries/losses.h"
#include "reports/queries/ops.h"
#include "reports/queries/runs.h"
#include "reports/text/numbers.h"

namespace ampprof::analysis {
namespace {

constexpr std::int64_t kFewSkipped = 2;  // a dynamic scale skips a few steps while it searches for its value
constexpr double kSmallShare = 0.02;     // share of all steps that a scaler may skip in this search

bool is_backward(const queries::EventRow& event) { return event.first_op_phase == Phase::Backward; }

/// Returns whether an op turns an inf into 0 where the exact value is a large finite number. Excludes an inf of exp():
/// in a sigmoid, 1 / (1 + inf) is rightly 0.
bool loses_a_norm(const queries::OpRow& op, const queries::EventRow& event, const Symptoms& symptoms) {
  const queries::OpRow* origin = symptoms.op_at(event.first_op);
  const bool divides = op.op.starts_with("rsqrt") || op.op.starts_with("div");
  return divides && event.cause == NonfiniteCause::TooLarge && event.fp32_holds == true && origin != nullptr &&
         !origin->op.starts_with("exp");
}

/// Returns whether the op that masked NaN or inf gives the same result as exact arithmetic. True if unknown.
bool is_masked_well(const queries::EventRow& event, const Symptoms& symptoms) {
  const queries::OpRow* op = symptoms.op_at(event.outcome_op);
  if (op == nullptr) return true;
  return op->inherited ? op->inherited->relative_l2() < kUselessError : !loses_a_norm(*op, event, symptoms);
}

/// Returns whether the result is finite in FP32 on the same inputs. False if exact arithmetic overflows too, or if the
/// op already computed in FP32. Empty if unknown.
std::optional<bool> fp32_holds(const queries::EventRow& event, const Symptoms& symptoms) {
  if (event.fp32_holds) return event.fp32_holds;
  if (event.shadow_holds == false) return false;
  const queries::OpRow* op = symptoms.op_at(event.first_op);
  const bool is_fp32 = op != nullptr && op->dtype_in == DType::Float && op->dtype_out == DType::Float;
  return is_fp32 && event.first_op_phase != Phase::Optimizer ? std::optional(false) : std::nullopt;
}

/// Returns whether the inputs are to blame: exact inputs give a finite result, or an input was flushed to 0.
bool is_caused_upstream(const queries::EventRow& event, const Symptoms& symptoms) {
  if (event.shadow_holds) return *event.shadow_holds;
  const queries::OpRow* origin = symptoms.op_at(event.first_op);
  return origin != nullptr && flushed_input_of(*origin, symptoms) != nullptr;
}

bool has_loss_scale(const queries::EventRow& event, const Symptoms& symptoms) {
  const queries::OpRow* op = symptoms.op_at(event.first_op);
  return event.by_scaler || event.outcome == NonfiniteOutcome::Skipped || event.scale_before != 1.0 ||
         (op != nullptr && op->scale.value_or(1.0) != 1.0);
}

bool is_sent(const queries::EventRow& event, const Symptoms& symptoms) {
  const queries::OpRow* cast = cast_of_sent_gradients(symptoms);
  return cast != nullptr && cast->call_site == event.first_op;
}

bool overflows_buffer(const queries::EventRow& event, const Symptoms& symptoms) {
  const queries::OpRow* op = symptoms.op_at(event.first_op);
  return event.outcome == NonfiniteOutcome::Buffer && op != nullptr &&
         (is_cast(op->op) || event.outcome_op == event.first_op);
}

/// Returns whether the event is an overflow of a finite loss times its loss scale. Gradients do not depend on that
/// product.
bool is_scaled_loss(const queries::EventRow& event, const Symptoms& symptoms) {
  const queries::OpRow* op = symptoms.op_at(event.first_op);
  const bool multiplies = op != nullptr && op->phase == Phase::Forward && op->op.starts_with("mul");
  const bool may_be = event.outcome == NonfiniteOutcome::Loss || event.outcome == NonfiniteOutcome::Skipped;
  if (!multiplies || !may_be || event.cause != NonfiniteCause::TooLarge) return false;
  const auto is_of_step = [&](const queries::LossRow* row) { return row->step == event.step; };
  return std::ranges::any_of(symptoms.losses, is_of_step) &&
         std::ranges::all_of(symptoms.losses, [&](const queries::LossRow* row) {
           return !is_of_step(row) || std::isfinite(row->loss.value);
         });
}

EventKind kind_of(const queries::EventRow& event, const Symptoms& symptoms) {
  const bool is_masked = event.outcome == NonfiniteOutcome::Masked || event.outcome == NonfiniteOutcome::Clamped;
  if (event.outcome == NonfiniteOutcome::Nothing || is_scaled_loss(event, symptoms)) return EventKind::Harmless;
  if (event.outcome == NonfiniteOutcome::Clamped && is_backward(event)) return EventKind::HiddenByClip;
  if (is_masked && is_masked_well(event, symptoms)) return EventKind::Harmless;
  if (advice::fits_at_smaller_scale(event, has_loss_scale(event, symptoms))) return EventKind::ByLossScale;
  const auto holds = fp32_holds(event, symptoms);
  if (holds == true) {
    if (is_sent(event, symptoms)) return EventKind::SentToRanks;
    return overflows_buffer(event, symptoms) ? EventKind::OverflowOfBuffer : EventKind::HeldByFp32;
  }
  if (holds == false && event.first_op_phase == Phase::Optimizer) return EventKind::InOptimizer;
  if (holds == false && is_caused_upstream(event, symptoms)) return EventKind::CausedUpstream;
  if (holds == false && !event.first_op.empty()) return EventKind::NotHeldByFp32;
  return EventKind::Unexplained;
}

bool has_one_cause_for_all(EventKind kind) { return kind == EventKind::ByLossScale || kind == EventKind::InOptimizer; }

/// Returns "fc/log" for the call site "fc/log#2". The second and later calls of an op in a module have such a suffix.
std::string_view without_number(std::string_view call_site) { return call_site.substr(0, call_site.rfind('#')); }

bool belongs_to(const EventGroup& group, EventKind kind, const queries::EventRow& event) {
  const queries::EventRow& first = *group.events.front();
  if (has_one_cause_for_all(kind) || has_one_cause_for_all(group.kind)) return kind == group.kind;
  const bool is_same_line = !event.first_op_source.empty() && first.first_op_source == event.first_op_source &&
                            without_number(first.first_op) == without_number(event.first_op);
  return first.cause == event.cause && (first.first_op == event.first_op || is_same_line);
}

// Counts the steps of the events that `counts` accepts. Several events in one step count once. An event that covers
// several steps (EventRow::steps) counts as that many.
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

std::int64_t steps_with_nonfinite_loss(const Symptoms& symptoms) {
  std::set<std::int64_t> steps;
  for (const queries::LossRow* row : symptoms.losses) {
    if (!std::isfinite(row->loss.value)) steps.insert(row->step);
  }
  return std::ssize(steps);
}

std::string named(const std::string& name, const char* otherwise) { return name.empty() ? otherwise : name; }

/// Returns the culprit, the origin of the event, the number of ops that NaN or inf spread through, and the outcome.
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
          "The buffer {} is not finite from step {} on. Results of its module are wrong, and may look finite.",
          named(worst.reached, "of a module"), worst.step);
    case NonfiniteOutcome::Gradient:
      return fmt::format("The gradient of {} is not finite in {}, and the update uses it.",
                         named(worst.reached, "a parameter"), of_steps(group.steps));
    case NonfiniteOutcome::Loss: {
      const std::int64_t spoilt = steps_with_nonfinite_loss(symptoms);
      if (spoilt > group.steps) {
        return fmt::format("The loss is not finite in {}, from step {} on.", of_steps(spoilt), worst.step);
      }
      const bool saw_weights = symptoms.run.recorded_steps >= symptoms.run.steps;
      return fmt::format("The loss is not finite in {}.{}", of_steps(group.steps),
                         saw_weights ? " Gradients and weights stay finite." : "");
    }
    case NonfiniteOutcome::Result:
      return "The result of inference is not finite.";
    case NonfiniteOutcome::Clamped:
    case NonfiniteOutcome::Masked:
      return fmt::format("{} turns NaN or inf into a finite but wrong value in {}.",
                         named(worst.outcome_op, "A later op"), of_steps(group.steps));
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
      return symptoms.run.ends_nonfinite ? 1.0 : kLogAlone * share(group.steps);
    case NonfiniteOutcome::Weight:
    case NonfiniteOutcome::Buffer:
    case NonfiniteOutcome::Gradient:
      return 1.0;
    default:
      return share(group.steps);
  }
}

}  // namespace ampprof::analysis
