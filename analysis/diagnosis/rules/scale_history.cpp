// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/rules/scale_history.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>

#include "analysis/diagnosis/event_groups.h"
#include "analysis/diagnosis/symptoms.h"
#include "reports/queries/events.h"
#include "reports/queries/ops.h"
#include "reports/queries/scales.h"

namespace ampprof::analysis {
namespace {

constexpr int kSeveral = 2;  // least number of restarts that is a fault; a single restart may be a resumed training

enum class ScaleReached { Start, Growth, Restart };

/// The scale of one loss after the decisions read so far, and how the scaler reached it.
struct Scaler {
  double scale = 0.0;  ///< scale after the last decision; 0 before the first
  ScaleReached reached = ScaleReached::Start;
};

struct Overflows {
  std::array<std::int64_t, 3> by_reached = {};  ///< number of overflows, indexed by ScaleReached
  std::int64_t restarts = 0;

  std::int64_t& of(ScaleReached reached) { return by_reached[static_cast<std::size_t>(reached)]; }
};

Overflows overflows_of(const Symptoms& symptoms) {
  std::map<std::int32_t, Scaler> scalers;
  Overflows overflows;
  for (const queries::ScaleRow* row : symptoms.scales) {
    const ScaleUpdate& update = row->update;
    Scaler& scaler = scalers[update.loss_id];
    if (scaler.scale > 0.0 && update.scale_before > scaler.scale) {
      scaler.reached = ScaleReached::Restart;
      ++overflows.restarts;
    }
    if (update.overflow) ++overflows.of(scaler.reached);
    if (update.scale_after > update.scale_before) scaler.reached = ScaleReached::Growth;
    scaler.scale = update.scale_after;
  }
  return overflows;
}

/// Returns the way in which the loss scale reached its value at most overflows. A static scale counts as Start, and so
/// does a scale that the program sets.
ScaleReached how_scale_was_reached(const Symptoms& symptoms) {
  Overflows overflows = overflows_of(symptoms);
  if (overflows.restarts < kSeveral) {
    overflows.of(ScaleReached::Start) += overflows.of(ScaleReached::Restart);
    overflows.of(ScaleReached::Restart) = 0;
  }
  return static_cast<ScaleReached>(std::ranges::max_element(overflows.by_reached) - overflows.by_reached.begin());
}

}  // namespace

bool is_of_start(const EventGroup& group, const Symptoms& symptoms) {
  return costs_something(group, symptoms) && how_scale_was_reached(symptoms) == ScaleReached::Start;
}

bool is_of_growth(const EventGroup& group, const Symptoms& symptoms) {
  return costs_something(group, symptoms) && how_scale_was_reached(symptoms) == ScaleReached::Growth;
}

bool is_of_restarts(const EventGroup& group, const Symptoms& symptoms) {
  return costs_something(group, symptoms) && how_scale_was_reached(symptoms) == ScaleReached::Restart;
}

std::optional<double> scale_that_fits(const EventGroup& group, const Symptoms& symptoms) {
  std::optional<double> least;
  for (const queries::EventRow* event : group.events) {
    if (event->largest_safe_scale)
      least = std::min(least.value_or(*event->largest_safe_scale), *event->largest_safe_scale);
  }
  if (least) return std::exp2(std::floor(std::log2(*least)));
  const queries::OpRow* op = symptoms.op_at(group.events.front()->first_op);
  return op ? op->scale : std::nullopt;
}

}  // namespace ampprof::analysis
