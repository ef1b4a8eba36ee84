// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/ScalarType.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "precision/formats/types/number_format.h"
#include "profiler/impact/impact_ledger.h"
#include "profiler/impact/rounded_inputs.h"

namespace ampprof::tensors {
class DeferredReductions;
}

namespace ampprof::profiler {

class RunClock;
class StepReplays;

/// The step to which a call belongs, and whether loss impact is measured in that step.
struct StepAhead {
  RoundedInputs::Step step;
  bool has_impact = false;
};

/// Receives the effects of errors on the loss. Gradient hooks call it during backward passes. Thread-safe.
class ImpactSink {
 public:
  /// Returns whether the recording is running. Hooks outlive the recording, in a forked child, too. Call no other
  /// function once this returns false.
  virtual bool is_open() const = 0;
  /// Returns the current segment if loss impact is measured in it, else empty.
  virtual std::optional<std::int64_t> sampled_segment() = 0;
  /// Returns the step to which a forward call on this thread belongs; the next step for a call between two steps. This
  /// is a guess, since steps are determined later.
  virtual StepAhead step_ahead() = 0;
  /// Adds the effect of an error whose gradient the current backward pass has computed. `effect` may be filled later.
  /// `function` is the number of the custom autograd function at whose output the error was measured; 0 for none.
  virtual void add(const ImpactLedger::Error& error, ImpactLedger::LateEffect effect, std::uint64_t function) = 0;
  /// Records that an error's loss impact is unknown, and why.
  virtual void add_gap(const ImpactLedger::Error& error, ImpactGap gap) = 0;

 protected:
  ~ImpactSink() = default;
};

/// Options of the impact stage for one run of the report.
struct ImpactOptions {
  std::size_t run = 0;                            ///< index of the run in the report
  bool is_of_recipe = false;                      ///< errors are those of a recipe's matmuls
  bool estimates = true;                          ///< also compute the expected (RMS) impact
  at::ScalarType precision = at::kFloat;          ///< precision of the reference: FP32 or FP64
  std::int64_t bytes = 0;                         ///< memory limit for errors that wait for their gradient
  std::optional<error::WhatIfType> what_if = {};  ///< type of `--what-if TYPE`
  const StepReplays& steps;                       ///< replays of the step, which have gradients without rounding
  tensors::DeferredReductions& results;
  RunClock& clock;
  ImpactSink& impacts;
};

}  // namespace ampprof::profiler
