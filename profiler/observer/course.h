// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "profiler/scopes/gradient_leaves.h"
#include "profiler/steps/step_tracker.h"

namespace ampprof::profiler {

/// A training (or inference) and its steps. A program has one, unless several of its threads update parameters: then
/// each of these has one of its own, and their steps are counted together. Lives as long as the session, whose lock
/// guards it.
struct Course {
  Course(int place, StepNumbers& numbers, std::int64_t now_ns) : number(place), steps(numbers, now_ns) {}

  const int number;  ///< from 0
  StepTracker steps;
  std::int32_t owner = -1;               ///< the thread that updates; -1 until one does
  bool deep = true;                      ///< the current segment has inherited error and loss impact
  std::int64_t shadow_restarted_in = 0;  ///< segment whose update was the last one of its step
  GradientLeaves leaves;
  std::set<GradientLeaves::Identity> unscaled;  ///< whose gradients a GradScaler unscaled, and that did not update yet
  std::map<const void*, GradientLeaves::Identity> leaf_of_optimizer;
};

}  // namespace ampprof::profiler
