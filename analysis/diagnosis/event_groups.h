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

/// The rule that a non-finite event is left to. Each event is left to one.
enum class EventKind {
  Harmless,          ///< no effect was seen, or exact arithmetic has the same after what masked it
  ByLossScale,       ///< a gradient times the loss scale is too large; a smaller scale holds it
  HiddenByClip,      ///< the program clamped a gradient before its scaler could see it
  HeldByFp32,        ///< a larger type holds the result
  OverflowOfBuffer,  ///< likewise, of a statistic that a module keeps: it is cast, or its op writes it
  SentToRanks,       ///< likewise, of a cast of gradients before other ranks get them
  NotHeldByFp32,     ///< neither does FP32, whatever came before
  CausedUpstream,    ///< exact inputs would have given a finite result
  InOptimizer,       ///< what an optimizer computes is not finite, in FP32 neither
  Unexplained,       ///< the report does not tell where it began, or whether FP32 holds it
};

/// The events of one origin, or those of a kind that has one cause for all origins (ByLossScale, InOptimizer).
struct EventGroup {
  EventKind kind = EventKind::Unexplained;
  std::vector<const queries::EventRow*> events = {};  ///< at least one, in the order of the run
  const queries::EventRow* worst = nullptr;           ///< the first of those with the worst outcome
  std::int64_t steps = 0;                             ///< in which they were
  std::int64_t skipped = 0;                           ///< of these, without an update for it
};

/// Returns the groups, in the order of their first events; Symptoms::groups has them.
std::vector<EventGroup> event_groups(const Symptoms& symptoms);

/// Says what became of a group: "2 of 8 steps were skipped."
std::string consequence_of(const EventGroup& group, const Symptoms& symptoms);

/// Returns false where a loss scaler skipped a few steps and nothing else came of it: so it finds its scale.
bool costs_something(const EventGroup& group, const Symptoms& symptoms);

/// Returns a finding for each group of a kind that `counts`; null: for each.
std::vector<Finding> findings_of(const Symptoms& symptoms, EventKind kind,
                                 Finding (*finding_of)(const EventGroup&, const Symptoms&),
                                 bool (*counts)(const EventGroup&, const Symptoms&) = nullptr);

/// Returns the share of the run that a group spoils.
double cost_of(const EventGroup& group, const Symptoms& symptoms);

}  // namespace ampprof::analysis
