// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/overflow_origins.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include "precision/advice/evidence.h"
#include "precision/advice/loss_scale.h"
#include "reports/queries/events.h"
#include "reports/queries/ops.h"

namespace ampprof::advice {
namespace {

constexpr double kRoundsToInf = 65520.0;
constexpr double kBadGradient = 0.25;  // smallest relative error of a useless gradient
constexpr double kMuchFlushed = 0.25;  // smallest share of flushed values that explains such an error

using Sentences = std::vector<std::string>;

/// Counts the overflow events that began at an op.
std::int64_t events_at(const Evidence& evidence, const queries::OpRow& op) {
  const auto began_here = [&](const queries::EventRow& event) { return event.first_op == op.call_site; };
  return std::ranges::count_if(evidence.events, began_here);
}

/// Returns the largest magnitude of the correct result; 0 without a reference.
double true_amax(const queries::OpRow& op) {
  double largest = op.ranges ? op.ranges->reference_amax : 0.0;
  if (!op.inherited_exponents) return largest;
  const double beyond = in_half(*op.inherited_exponents).rounds_to_inf;
  return beyond > 0 ? std::max(largest, 65536.0) : largest;
}

std::string so_many(std::int64_t events) {
  return events == 1 ? "began 1 non-finite event" : fmt::format("began {} non-finite events", events);
}

/// Explains why FP32 for an op alone does not help.
std::string why_not_repaired(const queries::OpRow& op, std::int64_t events, const Evidence& evidence) {
  const bool has_wrong_inputs = std::ranges::any_of(evidence.events, [&](const queries::EventRow& event) {
    return event.first_op == op.call_site && event.shadow_holds == true;
  });
  return fmt::format("FP32 for {} alone does not help: {} This op {}.", op.call_site,
                     has_wrong_inputs ? "its inputs are already wrong. Compute the ops that produce them in FP32, too."
                                      : "its result is not finite in FP32 either.",
                     so_many(events));
}

void look_at_forward(FunctionInModule& candidate, const queries::OpRow& op, const Evidence& evidence,
                     std::vector<NotRepaired>& not_repaired) {
  if (op.nonfinite_expected || op.dtype_out != DType::Half) return;
  const bool is_nonfinite = op.ranges && op.ranges->nonfinite > 0;
  const std::int64_t events = events_at(evidence, op);
  const double amax = true_amax(op);
  if (amax >= kRoundsToInf && (is_nonfinite || op.inherited_exponents || events > 0)) {
    candidate.overflows += std::max<std::int64_t>(events, 1);
    candidate.reasons.push_back(fmt::format("{} overflows: its result reaches {:.3g}, but FP16 ends at 65504{}",
                                            op.call_site, amax, events > 0 ? "; it " + so_many(events) : ""));
  } else if (events > 0 && !op.local) {
    candidate.overflows += events;
    candidate.reasons.push_back(
        fmt::format("{} made NaN or inf from finite inputs and {}; without a reference it is unknown whether its "
                    "result fits in FP32",
                    op.call_site, so_many(events)));
  } else if (events > 0) {
    not_repaired.push_back({op.call_site, why_not_repaired(op, events, evidence)});
  }
}

/// Tells whether overflows continued to the end of the run: they happened in more than a quarter of the steps in the
/// second half.
bool scale_slides(const Evidence& evidence) {
  const std::int64_t half = evidence.run.steps / 2;
  const auto late = std::ranges::count_if(
      evidence.events, [&](const queries::EventRow& event) { return event.by_scaler && event.step > half; });
  return evidence.run.steps >= 8 && 4 * late > evidence.run.steps - half;
}

/// Counts the overflow events for which the function is to blame: only those that continue to the end of the run, and
/// only if no smaller loss scale avoids the overflow. Other overflows are due to a scaler that starts with too large a
/// scale, or that grows the scale until gradients overflow and then halves it.
std::int64_t events_to_blame(const Evidence& evidence, const queries::OpRow& op) {
  if (!scale_slides(evidence)) return 0;
  return std::ranges::count_if(evidence.events, [&](const queries::EventRow& event) {
    return event.by_scaler && event.first_op == op.call_site && !fits_at_smaller_scale(event, true);
  });
}

struct Flushed {
  double share;
  std::optional<double> scale = {};  ///< static scale with the least flushing
};

/// Returns the smallest share of an op's gradient that is flushed to zero at the static scale of any loss.
Flushed flushed_at_best(const queries::OpRow& op, const std::vector<LossScaleAdvice>& scales) {
  Flushed least{1.0};
  for (const LossScaleAdvice& advice : scales) {
    if (!advice.static_scale || !op.scale) continue;
    const auto shift = std::lround(std::log2(*advice.static_scale / *op.scale));
    const auto& histogram = op.inherited_exponents ? *op.inherited_exponents : *op.exponents;
    const double share = in_half(histogram, static_cast<int>(shift)).rounds_to_zero;
    if (share < least.share) least = {share, advice.static_scale};
  }
  return least;
}

bool flushes_badly(const queries::OpRow& op) {
  return op.dtype_out == DType::Half && op.local && op.local->flushed > 0 && op.local->relative_l2() >= kBadGradient &&
         op.exponents &&
         static_cast<double>(op.local->flushed) >= kMuchFlushed * static_cast<double>(op.exponents->total());
}

void look_at_backward(FunctionInModule* candidate, const queries::OpRow& op, const Evidence& evidence,
                      const std::vector<LossScaleAdvice>& scales, Sentences& notes) {
  Sentences reasons;
  const std::int64_t events = events_to_blame(evidence, op);
  if (events > 0)
    reasons.push_back(fmt::format("{} {}, however small the loss scale became", op.call_site, so_many(events)));
  if (flushes_badly(op)) {
    const Flushed best = flushed_at_best(op, scales);
    const auto all = static_cast<double>(op.exponents->total());
    const double now = static_cast<double>(op.local->flushed) / all;
    if (best.share >= kMuchFlushed) {
      reasons.push_back(
          fmt::format("{} flushes {:.0f} % of its gradient to zero, and {:.0f} % even at the largest safe loss scale",
                      op.call_site, 100 * now, 100 * best.share));
    } else {
      notes.push_back(
          fmt::format("{} flushes {:.0f} % of its gradient to zero; a loss scale of {} would reduce this to {:.0f} %.",
                      op.call_site, 100 * now, *best.scale, 100 * best.share));
    }
  }
  if (reasons.empty()) return;
  if (candidate == nullptr) {
    for (const auto& reason : reasons) {
      notes.push_back(
          reason +
          ". ampprof cannot tell which function of the module this backward op belongs to; look at the op's caller.");
    }
    return;
  }
  candidate->overflows += events;
  candidate->reasons.insert(candidate->reasons.end(), reasons.begin(), reasons.end());
}

/// Tells whether a function computes in the type of its inputs, so that it runs in FP32 once its inputs are FP32.
bool follows_its_inputs(const std::string& function) {
  static const std::set<std::string_view> kFollowers{"add", "sub",   "mul",   "div",   "rsub",    "neg",     "addcmul",
                                                     "cat", "stack", "where", "clamp", "maximum", "minimum", "sum"};
  return kFollowers.contains(function);
}

/// Tells whether a candidate's NaN or inf came from another overflow origin in its module. If the run has overflow
/// events, the candidate must not have begun one. Without events the origin must come earlier in program order, which
/// is less reliable: a function may be called both before and after the origin.
bool follows_another(const std::vector<FunctionInModule>& candidates, const FunctionInModule& candidate,
                     const Evidence& evidence) {
  if (!follows_its_inputs(candidate.function)) return false;
  const auto is_maker = [&](const FunctionInModule& other) {
    return !other.reasons.empty() && other.module == candidate.module && !follows_its_inputs(other.function);
  };
  if (evidence.events.empty()) return std::any_of(candidates.data(), &candidate, is_maker);
  return std::ranges::none_of(candidate.forward,
                              [&](const queries::OpRow* op) { return events_at(evidence, *op) > 0; }) &&
         std::ranges::any_of(candidates, is_maker);
}

/// Unmarks candidates that overflow because their inputs had already overflowed. Registering them alone would not help.
void leave_followers(std::vector<FunctionInModule>& candidates, const Evidence& evidence, Sentences& notes) {
  for (FunctionInModule& candidate : candidates) {
    if (candidate.reasons.empty() || !follows_another(candidates, candidate, evidence)) continue;
    notes.push_back(fmt::format(
        "{} overflows on outputs of functions that the advice keeps in FP32; once they run in FP32, it does, too.",
        candidate.name()));
    candidate.reasons.clear();
    candidate.overflows = 0;
  }
}

}  // namespace

BeyondPolicies mark_overflow_origins(std::vector<FunctionInModule>& candidates, const Evidence& evidence) {
  BeyondPolicies beyond;
  Sentences& notes = beyond.notes;
  for (FunctionInModule& candidate : candidates) {
    for (const queries::OpRow* op : candidate.forward) look_at_forward(candidate, *op, evidence, beyond.not_repaired);
  }
  leave_followers(candidates, evidence, notes);
  const auto scales = loss_scale_advice(evidence.ops, evidence.scales);
  for (const queries::OpRow& op : evidence.ops) {
    if (op.phase == Phase::Backward) look_at_backward(candidate_of(candidates, op), op, evidence, scales, notes);
  }
  for (FunctionInModule& candidate : candidates) {
    if (candidate.reasons.empty() || candidate.cannot.empty()) continue;
    for (const auto& reason : candidate.reasons)
      notes.push_back(reason + ". No policy rule can change this: " + candidate.cannot + ".");
    candidate.reasons.clear();
  }
  return beyond;
}

}  // namespace ampprof::advice
