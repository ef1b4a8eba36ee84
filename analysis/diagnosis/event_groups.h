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

/// The rule that handles a non-finite event. Each event has exactly one.
enum class EventKind {
  Harmless,          ///< no effect was seen, or exact arithmetic gives the same after masking
  ByLossScale,       ///< a gradient times the loss scale is too large; a smaller scale holds it
  HiddenByClip,      ///< the program clamped a gradient before its scaler could see it
  HeldByFp32,        ///< a larger type holds the result
  OverflowOfBuffer,  ///< a larger type holds a statistic that a module keeps: it is cast, or its op writes it
  SentToRanks,       ///< a larger type holds a gradient that is cast before it goes to other ranks
  NotHeldByFp32,     ///< FP32 does not hold the result either, whatever came before
  CausedUpstream,    ///< exact inputs would have given a finite result
  InOptimizer,       ///< an optimizer computes a value that is not finite, in FP32 as well
  Unexplained,       ///< the report does not say where it began, or whether FP32 can hold it
};

/// The events of one origin. Kinds with one cause for all origins (ByLossScale, InOptimizer) form one group.
struct EventGroup {
  EventKind kind = EventKind::Unexplained;
  std::vector<const queries::EventRow*> events = {};  ///< at least one, in the order of the run
  const queries::EventRow* worst = nullptr;           ///< the first of those with the worst outcome
  std::int64_t steps = 0;                             ///< the steps with these events
  std::int64_t skipped = 0;                           ///< the steps of these without an update because of it
};

/// Returns the groups, in the order of their first events; Symptoms::groups has them.
std::vector<EventGroup> event_groups(const Symptoms& symptoms);

/// Describes the outcome of a group: "2 of 8 steps were skipped."
std::string consequence_of(const EventGroup& group, const Symptoms& symptoms);

/// Returns false if a loss scaler skipped a few steps and nothing else happened: this is how it finds its scale.
bool costs_something(const EventGroup& group, const Symptoms& symptoms);

/// Returns a finding for each group of a kind for which `counts` is true; null: for each group.
std::vector<Finding> findings_of(const Symptoms& symptoms, EventKind kind,
                                 Finding (*finding_of)(const EventGroup&, const Symptoms&),
                                 bool (*counts)(const EventGroup&, const Symptoms&) = nullptr);

/// Returns the share of the run that a group spoils.
double cost_of(const EventGroup& group, const Symptoms& symptoms);

}  // namespace ampprof::analysis
