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

/// Names a step, and says whether it has loss impact.
struct StepAhead {
  RoundedInputs::Step step;
  bool has_impact = false;
};

/// Takes the effects of errors on the loss from the hooks that the backward pass calls. Thread-safe.
class ImpactSink {
 public:
  /// Returns whether the recording goes on. Hooks outlive it, in a forked child too. Call no other function once this
  /// returns false.
  virtual bool is_open() const = 0;
  /// Returns the current segment, if it has inherited error and loss impact.
  virtual std::optional<std::int64_t> sampled_segment() = 0;
  /// Returns the step that a forward call on this thread belongs to, or that a call between two steps prepares. It is
  /// the best guess at this moment.
  virtual StepAhead step_ahead() = 0;
  /// Takes an error whose gradient has come in the current backward pass. `effect` may be filled later. `function` is
  /// the node of the custom autograd function whose output has the error; 0 for none.
  virtual void add(const ImpactLedger::Error& error, ImpactLedger::LateEffect effect, std::uint64_t function) = 0;
  /// Takes an error for which no gradient can come.
  virtual void add_gap(const ImpactLedger::Error& error, ImpactGap gap) = 0;

 protected:
  ~ImpactSink() = default;
};

/// Selects the errors whose impacts are computed, and says how.
struct ImpactOptions {
  std::size_t run = 0;                            ///< the errors' run in the report
  bool is_of_recipe = false;                      ///< the errors are those of a recipe's matmuls
  bool estimates = true;                          ///< the expected size is computed, too
  at::ScalarType precision = at::kFloat;          ///< FP32 or FP64
  std::int64_t bytes = 0;                         ///< limit for the errors that wait for a gradient
  std::optional<error::WhatIfType> what_if = {};  ///< type that operands are judged in
  const StepReplays& steps;                       ///< have the gradients that errors meet besides the run's
  tensors::DeferredReductions& results;
  RunClock& clock;
  ImpactSink& impacts;
};

}  // namespace ampprof::profiler
