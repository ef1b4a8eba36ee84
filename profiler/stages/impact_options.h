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

/// A step, and whether it has loss impact.
struct StepAhead {
  RoundedInputs::Step step;
  bool has_impact = false;
};

/// Takes what errors do to the loss, from the hooks that the backward pass calls. Thread-safe.
class ImpactSink {
 public:
  /// Returns whether anything is recorded any more. Hooks outlive the recording, in a forked child too: there nothing
  /// else of this may be called.
  virtual bool is_open() const = 0;
  /// Returns the current segment, if it has inherited error and loss impact.
  virtual std::optional<std::int64_t> sampled_segment() = 0;
  /// Returns the step that a forward call on this thread belongs to, or that a call between two steps prepares, as far
  /// as can be told now.
  virtual StepAhead step_ahead() = 0;
  /// The current backward pass brought the gradient that an error met. `effect` may come later. `function`: the node of
  /// the custom autograd function whose output it is; 0 for none.
  virtual void add(const ImpactLedger::Error& error, ImpactLedger::LateEffect effect, std::uint64_t function) = 0;
  /// There is no error for the gradient to meet.
  virtual void add_gap(const ImpactLedger::Error& error, ImpactGap gap) = 0;

 protected:
  ~ImpactSink() = default;
};

/// Says whose errors' impacts are found, and how.
struct ImpactOptions {
  std::size_t run = 0;                            ///< which run of the report they are of
  bool is_of_recipe = false;                      ///< the errors are those of a recipe's matmuls
  bool estimates = true;                          ///< their expected size is found, too
  at::ScalarType precision = at::kFloat;          ///< FP32 or FP64
  std::int64_t bytes = 0;                         ///< that errors may take until their gradient comes
  std::optional<error::WhatIfType> what_if = {};  ///< type that operands are judged in
  const StepReplays& steps;                       ///< whose gradients errors meet beside the run's
  tensors::DeferredReductions& results;
  RunClock& clock;
  ImpactSink& impacts;
};

}  // namespace ampprof::profiler
