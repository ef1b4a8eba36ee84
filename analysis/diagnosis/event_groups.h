// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/diagnosis/finding.h"
#include "reports/records/event.h"

namespace ampprof::queries {
struct EventRow;
}

namespace ampprof::analysis {

struct Symptoms;

/// Kind of a non-finite event. Selects the rule that handles the event.
enum class EventKind {
  Harmless,          ///< no effect was seen, or exact arithmetic gives the same result after masking
  ByLossScale,       ///< a gradient times the loss scale is too large; it fits at a smaller scale
  HiddenByClip,      ///< the program clamped a gradient before its scaler could see it
  HeldByFp32,        ///< the result fits into a larger type
  OverflowOfBuffer,  ///< a module's buffer overflows in a cast or in the op that writes it; it fits into a larger type
  SentToRanks,       ///< a gradient overflows in a cast before it is sent to other ranks; it fits into a larger type
  NotHeldByFp32,     ///< the result does not fit into FP32 either, and the inputs are not known to be wrong
  CausedUpstream,    ///< exact inputs would have given a finite result
  InOptimizer,       ///< an optimizer computes NaN or inf, and would in FP32 as well
  Unexplained,       ///< the report does not show the origin, or whether the result fits into FP32
};

/// The events of one origin. Kinds with one cause for all origins (ByLossScale, InOptimizer) form one group each.
struct EventGroup {
  EventKind kind = EventKind::Unexplained;
  std::vector<const queries::EventRow*> events = {};  ///< at least one, in the order of the run
  const queries::EventRow* worst = nullptr;           ///< the first event with the worst outcome
  std::int64_t steps = 0;                             ///< number of steps with these events
  std::int64_t skipped = 0;                           ///< number of `steps` whose update was skipped
};

/// Groups the events of a run, for Symptoms::groups. Groups are in the order of their first events.
std::vector<EventGroup> event_groups(const Symptoms& symptoms);

/// Describes the outcome of a group: "2 of 8 steps were skipped."
std::string consequence_of(const EventGroup& group, const Symptoms& symptoms);

/// Returns false if a loss scaler skipped a few steps and nothing else happened: a scaler skips steps to find its
/// scale.
bool costs_something(const EventGroup& group, const Symptoms& symptoms);

/// Applies `finding_of` to the groups of a kind and returns the findings. If `counts` is not null, leaves out groups
/// that `counts` rejects.
std::vector<Finding> findings_of(const Symptoms& symptoms, EventKind kind,
                                 Finding (*finding_of)(const EventGroup&, const Symptoms&),
                                 bool (*counts)(const EventGroup&, const Symptoms&) = nullptr);

/// Returns the share of the run that a group spoils, from 0 to 1.
double cost_of(const EventGroup& group, const Symptoms& symptoms);

}  // namespace ampprof::analysis
